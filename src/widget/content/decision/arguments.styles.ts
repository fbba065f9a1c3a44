import { css } from 'lit';

/** The arguments of a call, by name. */
export const argumentStyles = css`
  dl {
    gap: 0;
    border-block: 1px solid var(--_line);
  }

  dl > div {
    display: grid;
    grid-template-columns: minmax(6em, 34%) minmax(0, 1fr);
    gap: 2px var(--_space-3);
    align-items: baseline;
    padding-block: 8px;
  }

  dl > div + div {
    border-block-start: 1px solid var(--_line);
  }

  dl > .nested {
    grid-template-columns: minmax(0, 1fr);
  }

  dt,
  .value {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .value {
    display: block;
    font-weight: 500;
    line-height: 1.45;
    white-space: pre-wrap;
    unicode-bidi: isolate;
  }

  .folded {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    line-clamp: 4;
  }

  dd dl {
    padding-inline-start: var(--_space-3);
    border-block: 0;
  }

  dd dl > div:first-child {
    padding-block-start: 2px;
  }

  dd > ul {
    display: grid;
    gap: 4px;
  }

  dd > ul > li + li:has(dl) {
    padding-block-start: 4px;
  }

  .more {
    scroll-margin-block-end: 130px; /* clear of the choices */
    min-block-size: var(--_target);
    padding: 0;
    border: 0;
    background: none;
    font-size: var(--_size-small);
  }
`;
