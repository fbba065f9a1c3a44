import { css } from 'lit';

/** The box one writes in. */
export const composerStyles = css`
  :host {
    display: block;
  }
  .box {
    display: flex;
    align-items: flex-end;
    gap: 4px;
    padding: 5px;
    padding-inline-start: 14px;
    border: 1px solid var(--_line-field);
    border-radius: var(--_radius-control);
    background: var(--_surface);
    transition: border-color var(--_duration) var(--_ease);
  }
  .box:focus-within {
    border-color: var(--_focus);
    box-shadow: 0 0 0 1px var(--_focus);
  }
  textarea {
    flex: 1;
    min-width: 0;
    box-sizing: border-box;
    /* one line stands in the middle of the button beside it, however large a finger needs that */
    --_pad: max(7px, (var(--_target) - 1.4em) / 2);
    height: calc(1.4em + 2 * var(--_pad));
    /* eight lines; two where the window, or what a keyboard leaves of it, is low: one must see what one answers */
    max-height: clamp(
      2 * 1.4em + 2 * var(--_pad),
      var(--_viewport-height, 100dvh) * 0.6 - 150px,
      8 * 1.4em + 2 * var(--_pad)
    );
    margin: 0;
    padding: var(--_pad) 0;
    border: 0;
    resize: none;
    background: none;
    color: var(--_text);
    font-size: max(16px, var(--_size-input));
    line-height: 1.4;
    overflow-y: auto;
    overscroll-behavior: var(--_overscroll);
    scrollbar-width: thin;
    field-sizing: content;
  }
  textarea:focus-visible {
    outline: none;
  }
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .fault {
    margin: 0 0 6px;
    font-size: var(--_size-small);
    color: var(--_bad);
  }
  @media (forced-colors: active) {
    .box:focus-within {
      outline: 2px solid Highlight;
    }
  }

  :host {
    position: relative;
  }
  .box {
    position: relative;
  }
  .box.attaches {
    padding-inline-start: 5px;
  }
  .attach {
    color: var(--_muted);
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
    font-size: var(--_size-tiny);
    color: var(--_muted);
  }
`;
