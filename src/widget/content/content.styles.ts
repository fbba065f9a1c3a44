import { css } from 'lit';

/**
 * Styles that content items share in addition to the shared sheet: boxes, titles, rows of actions, badges, notices.
 */
export const contentStyles = css`
  :host {
    display: block;
    /* all text of an item starts at the edge of its controls, whatever its language */
    text-align: -webkit-match-parent;
    text-align: match-parent;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  /*
   * Hidden while a part above is loading; otherwise it would move down. The second selector asks for the parent first:
   * without that, the engine compares every two fields of a form.
   */
  agent-chat-item[loading] ~ *,
  :has(agent-chat-item[loading]) ~ :is(:not(* > *), :has(agent-chat-item[loading]) > *) {
    visibility: hidden;
  }

  .frame {
    display: grid;
    gap: var(--_space-3);
    padding: 14px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) + 2px);
    background: var(--_raised);
  }

  .frame > * {
    min-inline-size: 0;
  }

  .title,
  .description,
  figure,
  ul {
    margin: 0;
  }

  ul {
    padding: 0;
    list-style: none;
  }

  .title {
    font-size: var(--_size);
    font-weight: 600;
    line-height: 1.35;
  }

  .description {
    color: var(--_muted);
    font-size: var(--_size-small);
    line-height: 1.45;
  }

  .clamped {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 6;
    line-clamp: 6;
  }

  .heading {
    display: grid;
    gap: 2px;
    margin-block-end: var(--_space-2);
  }

  figure {
    display: grid;
    gap: 6px;
  }

  :is(.frame, figure) > .heading {
    margin-block-end: 0;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space-2);
  }

  .actions.end {
    justify-content: flex-end;
  }

  .notice {
    display: flex;
    align-items: flex-start;
    gap: var(--_space-2);
    padding: 9px 12px;
    border-radius: var(--_radius);
    background: var(--_raised);
    box-shadow: inset 0 0 0 1px var(--_line);
    font-size: calc(var(--_size) * 14 / 15);
    line-height: 1.45;
  }

  .notice.bad {
    background: var(--_bad-soft);
    color: var(--_bad);
    box-shadow: none;
  }

  .notice svg {
    margin-block-start: 1px;
  }

  .notice > div {
    flex: 1;
    min-inline-size: 0;
  }

  .fault {
    margin: 0;
    color: var(--_bad);
    font-size: var(--_size-small);
  }

  .badge {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    padding: 1px 8px;
    border-radius: var(--_radius-pill);
    background: var(--_surface);
    box-shadow: inset 0 0 0 1px currentColor;
    color: var(--_muted);
    font-size: var(--_size-tiny);
    font-weight: 550;
    line-height: 1.5;
    white-space: nowrap;
  }

  .badge::before {
    content: '';
    inline-size: 6px;
    block-size: 6px;
    border-radius: 50%;
    background: currentColor;
  }

  .badge.good {
    color: var(--_good);
  }

  .badge.waiting {
    color: var(--_warn);
  }

  .badge.bad {
    color: var(--_bad);
  }

  summary {
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  pre {
    margin: var(--_space-1) 0 0;
    padding: 10px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_code);
    font: var(--_size-small) / 1.5 var(--_font-mono);
    white-space: pre-wrap;
  }

  dl {
    display: grid;
    gap: var(--_space-2);
    margin: 0;
  }

  dl > div {
    display: grid;
    gap: 1px;
  }

  dt {
    color: var(--_muted);
    font-size: var(--_size-small);
    line-height: 1.4;
  }

  dd {
    margin: 0;
  }

  .given {
    white-space: pre-line;
  }

  /* the content of a details element inherits from the browser's internal slot, which does not know our box
     sizing */
  details > * {
    box-sizing: border-box;
  }

  .link svg {
    inline-size: 13px;
    block-size: 13px;
    margin-inline-start: 3px;
    vertical-align: -1px;
  }

  dd dl {
    padding-inline-start: var(--_space-3);
    border-inline-start: 2px solid var(--_line);
  }

  select.field {
    appearance: none;
    padding-inline-end: 32px;
    background-image:
      linear-gradient(45deg, transparent 50%, var(--_muted) 50%),
      linear-gradient(-45deg, transparent 50%, var(--_muted) 50%);
    background-position:
      right 17px center,
      right 12px center;
    background-repeat: no-repeat;
    background-size: 5px 5px;
    text-overflow: ellipsis;
  }

  @media (forced-colors: active) {
    /* the arrow drawn above is missing in forced colours; use the browser's own */
    select.field {
      appearance: auto;
    }
  }

  select.field:dir(rtl) {
    background-position:
      left 12px center,
      left 17px center;
  }

  .link {
    color: var(--_accent-text);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 2px;
  }

  .link:hover {
    text-decoration-thickness: 2px;
  }

  @media (prefers-contrast: more) {
    .link {
      text-decoration-thickness: 2px;
    }
  }
`;
