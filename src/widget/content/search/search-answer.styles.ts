import { css } from 'lit';

/** Styles of an answer with sources. */
export const searchAnswerStyles = css`
  /* as the text of any answer */
  agent-chat-markdown {
    text-align: start;
  }

  .sources {
    display: flex;
    gap: var(--_space-2);
    margin: 8px -4px -2px;
    padding: 4px; /* room for the focus ring */
    overflow-x: auto;
    scroll-padding-inline: 4px;
    scroll-snap-type: inline proximity;
  }

  .sources-title {
    margin: 10px 0 -4px;
    color: var(--_muted);
    font-size: var(--_size-small);
    font-weight: 550;
  }

  .sources li {
    display: flex;
    flex: 1 0 min(11.2em, 100%); /* a few share the width, many scroll */
    max-inline-size: 20em;
    min-inline-size: 0;
    scroll-snap-align: start;
  }

  .source {
    /* titles without a host below start at the top, like their neighbours */
    display: flex;
    flex-direction: column;
    flex: 1;
    min-inline-size: 0;
    padding: 8px 10px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font-size: var(--_size-small);
    line-height: 1.35;
    text-align: inherit;
  }

  .source:hover {
    background: var(--_hover);
  }

  .source[aria-expanded='true'] {
    border-color: var(--_accent-text);
    background: var(--_accent-soft);
  }

  @media (forced-colors: active) {
    .source[aria-expanded='true'] {
      border-color: Highlight;
    }
  }

  .source span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .source small {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-block-start: 3px;
    color: var(--_muted);
    font-size: var(--_size-tiny);
    overflow-wrap: anywhere;
  }

  .source img {
    inline-size: 14px;
    block-size: 14px;
    border-radius: 3px;
  }

  .excerpt {
    display: grid;
    gap: var(--_space-2);
    margin-block-start: var(--_space-2);
    padding: 10px 12px;
    border-inline-start: 3px solid var(--_accent-text);
    border-radius: var(--_radius-small);
    background: var(--_raised);
    font-size: var(--_size-small);
    line-height: 1.5;
  }

  .excerpt p {
    margin: 0;
  }

  .excerpt .title {
    font-size: var(--_size-small);
  }

  .excerpt .words {
    white-space: pre-line;
  }

  .preview {
    inline-size: max-content;
    max-inline-size: min(320px, calc(100% - 16px));
    padding: 10px 12px;
    font-size: var(--_size-small);
    line-height: 1.45;
    overflow: hidden;
  }

  .preview:popover-open {
    animation: preview var(--_duration) var(--_ease);
  }

  @keyframes preview {
    from {
      opacity: 0;
    }
  }

  .preview .words {
    margin-block: 4px 0;
  }

  .preview .host {
    margin-block: 6px 0;
    color: var(--_muted);
    font-size: var(--_size-tiny);
  }
`;
