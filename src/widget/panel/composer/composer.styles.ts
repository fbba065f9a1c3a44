import { css } from 'lit';

/** The box one writes in. */
export const composerStyles = css`
  :host {
    display: block;
    position: relative;
  }
  .box {
    --_control: max(36px, 1.4em + 14px); /* Send is as high as one line, however large the text */
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
    /* eight lines; one or two where the panel, or what a keyboard leaves of it, is low: one must see what one answers */
    max-height: clamp(
      1.4em + 2 * var(--_pad) + clamp(0px, (100cqb - 220px) * 99, 1.4em),
      100cqb * 0.6 - 150px,
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
    overscroll-behavior: var(--_overscroll);
    field-sizing: content;
    text-overflow: ellipsis; /* of the placeholder, in engines that take it from here */
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
  .waiting {
    margin: 0 0 6px;
    font-size: var(--_size-small);
    color: var(--_muted);
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
  .box.attaches {
    padding-inline-start: 5px;
  }
  .attach {
    color: var(--_muted);
  }
`;
