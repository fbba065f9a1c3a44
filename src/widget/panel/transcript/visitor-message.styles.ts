import { css } from 'lit';

/** Styles of the visitor's messages. */
export const visitorMessageStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    min-width: 0;
  }
  .line {
    gap: 4px;
    align-items: center;
    display: flex;
    width: 100%;
    flex-direction: row-reverse; /* read in the order of the document: first what was said */
  }
  .block {
    position: relative;
    max-width: min(85cqi, var(--_measure));
    padding: 8px 13px;
    border: 1px solid var(--_second-line);
    border-radius: var(--_radius-message);
    border-end-end-radius: var(--_radius-tail);
    background: var(--_second);
    overflow-wrap: anywhere;
    color: var(--_on-second);
    --_focus: var(--_second-link);
  }
  /* heard word by word: a block that grew would move the words that are there */
  .block.heard {
    flex: 1;
  }
  /* the time it was sent, in the space below */
  .block::after {
    content: attr(data-time);
    position: absolute;
    inset-block-start: calc(100% + 7px); /* below the focus ring */
    inset-inline-end: 6px;
    font-size: var(--_size-tiny);
    line-height: 1.2;
    color: var(--_muted);
    opacity: var(--_time-opacity, 0);
    transition: opacity var(--_duration) var(--_ease);
  }
  .block > p {
    /* as in the field: each paragraph has the direction of its own language */
    unicode-bidi: plaintext;
    margin: 0;
    white-space: pre-wrap;
  }
  .documents {
    display: block;
    font-size: var(--_size-small);
    color: var(--_second-muted);
  }
  .state {
    display: flex;
    align-items: center;
    gap: 4px;
    font-size: var(--_size-tiny);
    color: var(--_muted);
  }
  .state .button {
    min-height: var(--_target);
    padding: 0 6px;
    font-size: inherit;
  }
  .edit {
    margin-block: -10px; /* no taller than a line of text: nothing moves when it appears */
    opacity: var(--_time-opacity, 0);
  }
  /* to edit a message that was not sent is the way on */
  .line:has(+ .state) {
    --_time-opacity: 1;
    --_edit-events: auto;
  }
  /* on a touch screen, a press on the message opens its menu; a tap shows the pencil */
  @media (hover: none) {
    .edit:not(:focus-visible) {
      pointer-events: var(--_edit-events, none);
    }
    .block:not(:only-child) {
      -webkit-user-select: none;
      -webkit-touch-callout: none;
    }
  }
  .caption {
    font-style: italic;
  }
`;
