import { css } from 'lit';

/** Styles of the composer. */
export const composerStyles = css`
  :host {
    display: block;
    position: relative;
  }
  .box {
    --_control: max(36px, 1.4em + 14px); /* Send is as high as one line at any font size */
    display: flex;
    align-items: flex-end;
    gap: 4px;
    padding: 5px;
    padding-inline-start: 14px;
    border: 1px solid var(--_line-field);
    border-radius: var(--_radius-control);
    background: var(--_surface);
  }
  .box:focus-within {
    border-color: var(--_focus);
    box-shadow: 0 0 0 1px var(--_focus);
  }
  textarea {
    flex: 1;
    min-width: 0;
    /* centres a single line on the button beside it, also with large touch targets */
    --_pad: max(7px, (var(--_target) - 1.4em) / 2);
    height: calc(1.4em + 2 * var(--_pad));
    /* eight lines; one or two where the panel is low, so that the message being answered stays visible */
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
    text-overflow: ellipsis; /* truncates the placeholder, in engines that support it here */
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
  .waiting,
  .fault {
    margin: 0 0 6px;
    font-size: var(--_size-small);
    color: var(--_muted);
  }
  .fault {
    color: var(--_bad);
  }
  @container panel (max-height: 340px) {
    .box {
      padding-block: 2px;
      padding-inline-end: 2px;
    }
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
