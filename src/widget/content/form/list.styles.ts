import { css } from 'lit';

/** Styles of the lists in forms: entries, also as a table, and files. */
export const listStyles = css`
  ol {
    display: grid;
    gap: 12px;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .entry,
  .extra {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: start;
  }

  .extra {
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto;
    gap: 8px;
    align-items: end;
  }

  .tools {
    display: flex;
  }

  .entry > .tools {
    margin-block-start: 4px;
    margin-inline-start: 4px;
  }

  .entry > .value > .group {
    padding-inline-start: 0;
    border: 0;
  }

  .entry:has(> .value > .group) > .tools {
    margin-block-start: -4px;
  }

  .entry:has(> .value > .group) + .entry {
    padding-block-start: 10px;
    border-block-start: 1px solid var(--_line);
  }

  .add {
    min-block-size: max(32px, var(--_target));
    padding: 3px 11px;
    font-size: var(--_size-small);
  }

  .add svg {
    inline-size: 15px;
    block-size: 15px;
  }

  .bullets {
    display: grid;
    gap: 4px;
    padding-inline-start: 1.2em;
    list-style: disc;
  }

  .files {
    display: grid;
    gap: 4px;
  }

  .files li {
    display: flex;
    align-items: center;
    gap: 8px;
  }

  .files span {
    flex: 1;
    min-inline-size: 0;
  }

  .table {
    overflow-x: auto;
    border-radius: var(--_radius-small);
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
  }

  th,
  td {
    padding-block: 3px;
    padding-inline: 0 6px;
    text-align: start;
    vertical-align: top;
  }

  td {
    min-inline-size: 90px;
  }

  td.tools,
  thead td {
    inline-size: 30px;
    min-inline-size: 0;
    padding-block-start: 6px;
  }

  th {
    color: var(--_muted);
    font-size: var(--_size-small);
    font-weight: 600;
    white-space: nowrap;
  }
`;
