import { css } from 'lit';

/**
 * The base sheet of every component: `static styles = [sharedStyles, ownStyles]`. Handles focus, motion, forced
 * colours and contrast in one place. Base classes: `button` (with `main`, `quiet`, `bad`), `icon-button`,
 * `visually-hidden`, `scrolls`.
 */
export const sharedStyles = css`
  :host {
    box-sizing: border-box;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }

  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }

  ::selection {
    background: color-mix(in srgb, var(--_accent-text) 26%, transparent);
  }

  /* scales with the text, as far as buttons have room */
  svg {
    width: min(1.2em, 24px);
    height: min(1.2em, 24px);
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
    pointer-events: none;
  }

  svg.filled {
    fill: currentColor;
    stroke: none;
  }

  /* Arrows and chevrons follow the direction of writing. */
  svg.directional:dir(rtl) {
    transform: scaleX(-1);
  }

  .visually-hidden:not(:focus-visible) {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    padding: 0;
    border: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* The wheel chains to the outer scroller if there is nothing to scroll; horizontally it must not navigate the
     browser. */
  .scrolls {
    overflow: auto;
    overscroll-behavior-inline: contain;
    scrollbar-width: thin;
    scrollbar-color: var(--_line-field) transparent;
  }

  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }

  button {
    margin: 0;
    cursor: pointer;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
  }

  button:is(:disabled, [aria-disabled='true']) {
    cursor: default;
  }

  /* Marked with our own chevron, not with the browser's triangle. */
  summary {
    display: flex;
    align-items: center;
    gap: 6px;
    width: fit-content;
    min-height: var(--_target);
    border-radius: var(--_radius-small);
    cursor: pointer;
    list-style: none;
  }

  summary::-webkit-details-marker {
    display: none;
  }

  summary .directional {
    width: 1.08em;
    height: 1.08em;
    transition: transform var(--_duration) var(--_ease);
  }

  [open] > summary svg.directional {
    transform: rotate(90deg);
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: max(var(--_control), var(--_target));
    padding: 4px 14px;
    border: 1px solid var(--_line-field);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font-weight: 550;
    line-height: 1.3;
    text-decoration: none;
    transition:
      background-color var(--_duration) var(--_ease),
      border-color var(--_duration) var(--_ease);
  }

  .button:where(.quiet) {
    border-color: transparent;
    background: none;
    color: var(--_accent-text);
  }

  .button:where(:hover) {
    background: var(--_hover);
  }

  .button.main,
  .icon-button.main {
    border-color: var(--_accent-edge);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .button.main:where(:hover),
  .icon-button.main:where(:hover) {
    background: var(--_accent-hover);
  }

  .button.bad {
    border-color: var(--_bad);
    background: none;
    color: var(--_bad);
  }

  .button.bad:where(:hover) {
    background: var(--_bad-soft);
  }

  .icon-button {
    display: inline-grid;
    place-items: center;
    width: max(var(--_control), var(--_target));
    height: max(var(--_control), var(--_target));
    flex: none;
    padding: 0;
    border: 0;
    border-radius: var(--_radius);
    background: none;
    color: inherit;
    transition: background-color var(--_duration) var(--_ease);
  }

  .icon-button.small {
    width: max(30px, var(--_target));
    height: max(30px, var(--_target));
    border-radius: calc(var(--_radius) * 0.8);
    color: var(--_muted);
  }

  .icon-button:where(:hover),
  .icon-button[aria-expanded='true'],
  .icon-button[aria-pressed='true'] {
    background: var(--_icon-button-hover, var(--_hover));
  }

  .icon-button.small:where([aria-pressed='true']) {
    color: var(--_accent-text);
  }

  .icon-button.main {
    box-shadow: inset 0 0 0 1px var(--_accent-edge);
    /* Send and Stop alternate while text arrives; a transition would cost work in each of those frames */
    transition: none;
  }

  :is(.button, .icon-button):is(:disabled, [aria-disabled='true']) {
    border-color: transparent;
    background: var(--_raised);
    color: var(--_muted);
    box-shadow: none;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
      scroll-behavior: auto !important;
    }
  }

  /* buttons are useless in print */
  @media print {
    .icon-button {
      display: none;
    }
  }

  @media (prefers-contrast: more) {
    :host {
      --_line: var(--_line-field);
    }

    :focus-visible {
      outline-width: 3px;
    }

    .button {
      border-color: currentColor;
    }
  }

  @media (forced-colors: active) {
    :focus-visible {
      outline-color: Highlight;
    }

    .button,
    .icon-button {
      border: 1px solid ButtonBorder;
    }

    .button.main,
    .icon-button.main,
    .icon-button[aria-pressed='true'] {
      forced-color-adjust: none;
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
    }

    :is(.button, .icon-button):is(:disabled, [aria-disabled='true']) {
      forced-color-adjust: none;
      border-color: GrayText;
      background: ButtonFace;
      color: GrayText;
    }
  }
`;
