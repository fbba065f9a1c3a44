import { css } from 'lit';

/** Styles of the help. */
export const helpStyles = css`
  :host {
    position: absolute;
    inset: 0;
    z-index: 3; /* above “New below” */
    overflow: auto;
    overscroll-behavior: contain;
    background: var(--_surface);
    color: var(--_text);
  }
  [role='dialog'] {
    max-width: var(--_measure);
    margin-inline: auto;
    padding: var(--_space-4);
  }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--_space-2);
  }
  h2 {
    margin: 0;
    font-size: var(--_size-large);
    line-height: 1.3;
  }
  h3,
  legend {
    margin: var(--_space-4) 0 var(--_space-2);
    padding: 0;
    font-size: inherit;
    font-weight: 600;
  }
  dl {
    margin: 0;
  }
  dl > div {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 2px 16px;
    padding-block: 6px;
    border-block-end: 1px solid var(--_line);
  }
  dd {
    margin: 0;
  }
  kbd {
    padding: 1px 7px;
    border: 1px solid var(--_line-field);
    border-radius: var(--_radius-small);
    font: inherit;
    font-size: var(--_size-small);
    white-space: nowrap;
  }
  fieldset {
    margin: var(--_space-3) 0 0;
    border: 0;
    padding: 0;
  }
  label {
    display: flex;
    align-items: center;
    gap: 10px;
    min-height: max(34px, var(--_target));
  }
`;
