import { css } from 'lit';

/** The list of conversations, over the whole panel. */
export const threadListStyles = css`
  :host {
    position: absolute;
    inset: 0;
    z-index: 3; /* above “New below” */
    background: var(--_surface);
    color: var(--_text);
  }
  [role='dialog'] {
    display: flex;
    flex-direction: column;
    height: 100%;
    max-width: calc(var(--_measure) + 2 * var(--_space-4));
    margin-inline: auto;
  }
  header {
    display: flex;
    align-items: center;
    gap: 2px;
    min-height: var(--_header-height);
    padding-inline: var(--_space-4) var(--_space-2);
  }
  h2 {
    flex: 1;
    min-width: 0;
    margin: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: var(--_size-large);
    font-weight: 650;
    line-height: 1.3;
  }
  .search {
    position: relative;
    margin: 0 var(--_space-4) var(--_space-2);
  }
  .search > svg {
    position: absolute;
    inset-block-start: 50%;
    inset-inline-start: 12px;
    translate: 0 -50%;
    color: var(--_muted);
  }
  .search .field {
    padding-inline-start: calc(20px + 1.2em);
    unicode-bidi: plaintext; /* what is typed may have another direction; the icon and the button stay apart */
    text-align: -webkit-match-parent;
    text-align: match-parent;
    border-color: transparent;
    background: var(--_raised);
    -webkit-appearance: none;
    appearance: none;
  }
  .body {
    flex: 1;
    min-height: 0;
    padding: 0 var(--_space-2) max(var(--_space-3), env(safe-area-inset-bottom));
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    position: relative;
    border-radius: calc(var(--_radius) * 1.2);
  }
  li + li {
    margin-block-start: 2px;
  }
  li:hover,
  li:focus-within,
  li.unfolded {
    background: var(--_raised);
  }
  li.current {
    background: var(--_accent-soft);
  }
  .open {
    display: grid;
    gap: 1px;
    width: 100%;
    min-height: 56px;
    padding: 9px var(--_space-2);
    border: 0;
    border-radius: inherit;
    background: none;
    text-align: start;
    line-height: 1.4;
  }
  .open:focus-visible {
    outline-offset: -2px;
  }
  .pair {
    display: flex;
    align-items: center;
    gap: 10px;
    min-width: 0;
  }
  .title,
  .line {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .title {
    font-weight: 550;
  }
  .unread .title {
    font-weight: 700;
  }
  time,
  .line {
    font-size: var(--_size-small);
    color: var(--_muted);
  }
  time {
    flex: none;
    white-space: nowrap;
  }
  .unread .line {
    color: var(--_text);
  }
  mark {
    border-radius: 3px;
    background: color-mix(in srgb, var(--_accent-text) 22%, transparent);
    color: inherit;
  }
  .dot {
    flex: none;
    min-width: 19px;
    padding-inline: 5px;
    border-radius: 10px;
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: var(--_size-tiny);
    font-weight: 650;
    line-height: 19px;
    text-align: center;
  }
  /* in the place of the time, while the pointer or the focus is on the row */
  .more {
    position: absolute;
    inset-block-start: 1px;
    inset-inline-end: 6px;
    opacity: 0;
  }
  .more svg {
    stroke-width: 2.8;
  }
  li:is(:hover, :focus-within, .unfolded) .more {
    opacity: 1;
  }
  li:is(:hover, :focus-within, .unfolded) .pair:first-child {
    padding-inline-end: max(30px, var(--_target));
  }
  .more:focus-visible {
    outline-offset: -2px; /* the list clips what is outside of it */
  }
  /* still part of the name of the row */
  li:is(:hover, :focus-within, .unfolded) time {
    position: absolute;
    opacity: 0;
  }
  .bar,
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 2px var(--_space-2) 10px;
  }
  form {
    padding-block-start: 10px;
  }
  .bar[aria-busy] {
    animation: breathe 1.2s ease-in-out infinite alternate;
  }
  .bar p {
    flex-basis: 100%;
    margin: 0;
    font-size: var(--_size-small);
  }
  .bar .button,
  form .button {
    font-size: var(--_size-small);
  }
  .state {
    display: grid;
    justify-items: center;
    gap: 12px;
    margin: 0;
    padding: calc(var(--_space-5) * 1.5) var(--_space-4);
    color: var(--_muted);
    text-align: center;
    overflow-wrap: anywhere;
  }
  .state > svg {
    width: 34px;
    height: 34px;
    stroke-width: 1.3;
    opacity: 0.7;
  }
  .ghost {
    display: grid;
    gap: 8px;
    padding: 13px var(--_space-2);
  }
  .ghost::before,
  .ghost::after {
    content: '';
    height: 11px;
    border-radius: 6px;
    background: var(--_raised);
    animation: breathe 1.2s ease-in-out infinite alternate;
  }
  .ghost::before {
    width: 55%;
  }
  .ghost::after {
    width: 85%;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  .rest {
    display: grid;
    justify-items: center;
    padding-block: 10px;
  }
  @media (hover: none) {
    .more {
      inset-block-start: 13px;
      opacity: 1;
    }
    .open {
      padding-inline-end: calc(max(30px, var(--_target)) + 10px);
    }
    li:is(:hover, :focus-within, .unfolded) .pair:first-child {
      padding: 0;
    }
    li:is(:hover, :focus-within, .unfolded) time {
      position: static;
      opacity: 1;
    }
  }
  @container panel (max-height: 260px) {
    .body {
      overflow: visible;
    }
    [role='dialog'] {
      height: auto;
    }
    :host {
      overflow-y: auto;
    }
  }
  @media (forced-colors: active) {
    li.current {
      outline: 1px solid Highlight;
    }
    .dot,
    mark {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .search .field {
      border-color: ButtonBorder;
    }
    .ghost::before,
    .ghost::after {
      background: GrayText;
    }
  }
`;
