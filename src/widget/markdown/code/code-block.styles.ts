import { css } from 'lit';

/** Styles of the bar above code, and of wrapped code; loaded with the code block. */
export const codeBlockStyles = css`
  .code-head {
    display: flex;
    align-items: center;
    gap: 2px;
    padding-block: 2px;
    padding-inline: 12px 4px;
    border-block-end: 1px solid var(--_line);
    color: var(--_muted);
    font-size: var(--_size-tiny);
    -webkit-user-select: none;
  }

  .code-head span {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .code-head button {
    position: relative;
    min-block-size: 24px;
    padding: 1px 8px;
    border: 0;
    border-radius: 6px;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }

  /* enlarges the touch target without making the line higher */
  .code-head button::after {
    content: '';
    position: absolute;
    inset: calc((24px - var(--_target)) / 2) 0;
  }

  .code-head button:hover {
    background: var(--_hover);
    color: var(--_text);
  }

  .code-head button[aria-pressed='true'] {
    color: var(--_accent-text);
  }

  pre.wrapped {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  /* printed code cannot scroll, so it wraps */
  @media print {
    .code-head button {
      display: none;
    }

    pre {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  }

  @media (forced-colors: active) {
    .code-head button[aria-pressed='true'] {
      color: Highlight;
    }
  }
`;
