import { css } from 'lit';

/** Styles for mentions and attachments, which not every page uses. */
export const composerExtrasStyles = css`
  .box.dropping {
    position: relative;
  }
  .box.dropping::after {
    content: attr(data-drop);
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    border: 2px dashed var(--_focus);
    border-radius: inherit;
    background: var(--_surface);
    pointer-events: none;
  }
  .mentions {
    position: absolute;
    inset-inline: 0;
    inset-block-end: calc(100% + 6px);
    z-index: 1;
    max-height: 240px;
    margin: 0;
    padding: 4px;
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: var(--_shadow-small);
    list-style: none;
  }
  .mentions li {
    min-height: max(34px, var(--_target));
    padding: 5px 10px;
    border-radius: calc(var(--_radius) * 0.8);
    cursor: pointer;
  }
  .mentions li[aria-selected='true'] {
    background: var(--_accent-soft);
    color: var(--_text);
    box-shadow: inset 0 0 0 1px var(--_accent-edge);
  }
  .mentions small {
    display: block;
    text-align: -webkit-match-parent;
    text-align: match-parent; /* names may differ in direction; all start at the same edge */
    font-size: var(--_size-tiny);
    color: var(--_muted);
  }
  @media (forced-colors: active) {
    .mentions {
      border: 1px solid CanvasText;
    }
    .mentions li[aria-selected='true'],
    .mentions li[aria-selected='true'] small {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
