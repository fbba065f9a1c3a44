import { css } from 'lit';

export const calendarStyles = css`
  :host {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 3px;
    display: grid;
    align-items: center;
  }

  /* keeps the field's label in view */
  .icon-button {
    scroll-margin-block-start: 18px;
  }

  .calendar {
    inline-size: max(296px, var(--_size-small) * 22.7); /* weekdays stay on one line in large text */
    max-block-size: calc(100vh - 16px);
    padding: 10px;
    font-size: var(--_size-small);
    overflow: auto;
  }

  .head,
  .foot {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 4px;
  }

  .foot {
    min-block-size: 36px;
    margin-block-start: 6px;
    padding-block-start: 6px;
    border-block-start: 1px solid var(--_line);
  }

  h2 {
    margin: 0;
    font-size: inherit;
    font-weight: 650;
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
    table-layout: fixed;
  }

  th {
    padding-block: 6px;
    color: var(--_muted);
    font-size: min(var(--_size-tiny), 5vw);
    font-weight: 500;
    text-align: center;
  }

  td {
    padding: 1px;
    block-size: max(36px, var(--_target));
    border-radius: var(--_radius-small);
    font-variant-numeric: tabular-nums;
    text-align: center;
  }

  td[aria-selected] {
    cursor: pointer;
  }

  td[aria-selected]:hover {
    background: var(--_raised);
  }

  td[aria-current] {
    box-shadow: inset 0 0 0 1px var(--_line-field);
    font-weight: 650;
  }

  td[aria-selected='true'] {
    background: var(--_accent-soft);
    box-shadow: inset 0 0 0 2px var(--_accent-edge);
    color: var(--_accent-text);
    font-weight: 650;
  }

  td[aria-disabled] {
    background: none;
    color: var(--_muted);
    text-decoration: line-through;
    cursor: default;
  }

  td:focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: -2px;
  }

  @media (forced-colors: active) {
    td[aria-current] {
      border: 1px solid;
    }

    td[aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
