import { css } from 'lit';

/** The box of a popover that `placePopover` places. */
export const popoverStyles = css`
  .popover {
    position: fixed;
    inset: auto;
    max-inline-size: calc(100% - 16px); /* 100vw includes the scrollbar of the page */
    margin: 0;
    border: 1px solid transparent; /* seen in forced colours */
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_text);
  }
`;
