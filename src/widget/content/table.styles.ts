import { css } from 'lit';

/** Styles of the table. */
export const tableStyles = css`
  .scroller {
    overflow-x: auto;
  }

  /* fades where it hides more, as a table in Markdown does */
  .scroller:not(:focus-visible) {
    animation: edges;
    animation-timeline: scroll(self inline);
  }

  .scroller:dir(rtl) {
    animation-direction: reverse;
  }

  @keyframes edges {
    from {
      mask-image: linear-gradient(to left, transparent, #000 24px);
    }
    to {
      mask-image: linear-gradient(to right, transparent, #000 24px);
    }
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: calc(var(--_size) * 14 / 15);
    line-height: 1.45;
  }

  th,
  td {
    min-inline-size: 3.5em;
    max-inline-size: 24em;
    padding-block: 6px;
    padding-inline: 0 16px;
    border-block-end: 1px solid var(--_line);
    text-align: start;
    vertical-align: top;
    overflow-wrap: break-word;
  }

  th:last-child,
  td:last-child {
    padding-inline-end: 0;
  }

  th {
    white-space: nowrap;
  }

  /* the mark of sorting stands in the space between the columns */
  th:not(.figures, :last-child) {
    padding-inline-end: 0;
  }

  .figures {
    text-align: end;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  /* figures end where this text starts */
  .figures + :not(.figures) {
    padding-inline-start: 12px;
  }

  th button {
    display: inline-flex;
    align-items: center;
    gap: 3px;
    text-align: inherit;
    min-block-size: var(--_target);
    padding: 0;
    border: 0;
    border-radius: var(--_radius-small);
    background: none;
    color: var(--_muted);
    font-size: var(--_size-small);
    font-weight: 600;
  }

  th.figures button {
    flex-direction: row-reverse;
  }

  th button:hover {
    color: var(--_text);
  }

  /* on one line, up to the maximum column width */
  th span {
    inline-size: max-content;
    max-inline-size: 22em;
    white-space: normal;
  }

  th svg {
    flex: none;
    inline-size: 13px;
    block-size: 13px;
    opacity: 0;
  }

  th button:hover svg,
  th button:focus-visible svg {
    opacity: 0.6;
  }

  th[aria-sort] svg {
    opacity: 1;
  }

  th[aria-sort='ascending'] svg {
    rotate: 180deg;
  }

  .more {
    margin-block-start: var(--_space-2);
  }
`;
