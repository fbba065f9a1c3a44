import { css } from 'lit';
import { popoverStyles } from '../popover.styles.ts';

export const comboboxStyles = css`
  ${popoverStyles}

  .combobox > agent-chat-combobox {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 3px;
    display: grid;
    align-items: center;
  }

  /* beside the button, whatever the direction of the text */
  .combobox > .field:has(+ agent-chat-combobox) {
    padding-right: 40px;
    text-overflow: ellipsis;
  }

  .combobox:dir(rtl) > .field:has(+ agent-chat-combobox) {
    padding-right: 11px;
    padding-left: 40px;
  }

  /* the list has the suggestions; the browser's arrows would stand beside its button */
  .combobox > .field.number:has(+ agent-chat-combobox) {
    appearance: textfield;
  }

  .combobox > .field:has(+ agent-chat-combobox)::-webkit-inner-spin-button,
  .combobox > .field:has(+ agent-chat-combobox)::-webkit-calendar-picker-indicator {
    display: none;
  }

  /* the turned arrow says enough */
  .combobox .icon-button:not(:hover) {
    background: none;
  }

  .combobox .icon-button svg {
    transition: rotate var(--_duration) var(--_ease);
  }

  .combobox .icon-button[aria-expanded='true'] svg {
    rotate: 180deg;
  }

  .suggestions {
    padding: 4px;
    overscroll-behavior: contain;
  }

  .suggestions:focus-visible {
    outline: none; /* the active suggestion is marked */
  }

  .suggestion {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--_space-2);
    min-block-size: max(34px, var(--_target));
    padding: 5px 10px;
    border-radius: calc(var(--_radius) * 0.8);
    line-height: 1.4;
    overflow-wrap: anywhere;
    text-align: start;
    cursor: pointer;
  }

  /* names may differ in direction; all start at the same edge */
  .suggestion > span {
    min-inline-size: 0;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .suggestion small {
    display: block;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  .suggestion:hover {
    background: var(--_raised);
  }

  .suggestion[aria-selected='true'] {
    background: var(--_accent-soft);
    box-shadow: inset 0 0 0 1px var(--_accent-edge);
  }

  .suggestion[aria-disabled] {
    background: none;
    color: var(--_muted);
    cursor: default;
  }

  .suggestion > svg {
    color: var(--_accent-text);
  }

  @media (forced-colors: active) {
    .suggestion[aria-selected='true'],
    .suggestion[aria-selected='true'] :is(small, svg) {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }

    .suggestion[aria-disabled] {
      color: GrayText;
    }
  }
`;
