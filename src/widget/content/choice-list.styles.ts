import { css } from 'lit';

/** Styles of the list of choices. */
export const choiceListStyles = css`
  :host {
    display: grid;
    gap: var(--_space-2);
    max-inline-size: 420px;
  }

  .list {
    max-block-size: 240px;
    padding: 4px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    overflow-y: auto;
  }

  .choice {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--_space-2);
    inline-size: 100%;
    min-block-size: max(32px, var(--_target));
    padding: 4px 10px;
    border: 0;
    border-radius: var(--_radius-small);
    background: none;
    color: inherit;
    font: inherit;
    overflow-wrap: anywhere;
    text-align: start;
    cursor: pointer;
  }

  .choice:hover {
    background: var(--_raised);
  }

  .choice[aria-selected='true'] {
    background: var(--_accent-soft);
    color: var(--_accent-text);
    outline: 2px solid var(--_accent-edge);
    outline-offset: -2px;
  }

  .choice svg {
    flex: none;
    inline-size: 15px;
    block-size: 15px;
  }

  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--_space-2);
  }

  .count {
    margin: 0;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  @media (forced-colors: active) {
    .choice[aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
