import { css } from 'lit';

/** One turn: the visitor's message, and the answer below it. */
export const turnStyles = css`
  /* what waits for the code of items above it: otherwise it would move when they grow from their placeholders */
  .message:has(> .answer > :is(:not(:defined):empty, [loading])) {
    --_below: hidden; /* WebKit restyles what has :has itself, not what stands beside or in it */
  }
  /* content is worth a shift if the code is slow */
  .answer > :is(:not(:defined):empty, [loading]) ~ * {
    animation: waiting 0.01ms 1.5s backwards;
  }
  @keyframes waiting {
    from {
      visibility: hidden;
    }
  }
  :host {
    display: flow-root;
    min-width: 0;
    container-type: inline-size;
  }
  .turn,
  .message,
  .answer {
    display: flex;
    flex-direction: column;
    gap: 10px;
    min-width: 0;
  }
  /* what is of use only now and then: the time, the actions of older answers */
  .message:is(:hover, :focus-within) {
    --_time-opacity: 1;
    --_edit-events: auto;
  }
  @media (hover: hover) {
    .turn:not(.last) .message:not(:hover, :focus-within) {
      --_actions-opacity: 0;
    }
  }
  .message {
    border-radius: var(--_radius-small);
  }
  .message:focus-visible {
    outline-offset: 4px;
  }
  .prompt {
    margin-block-end: 0.667em; /* room for the time */
  }
  /* the message slides in; its box, which the transcript scrolls to, and the answer do not move */
  :host(.entering) .prompt > * {
    animation: rise var(--_duration) var(--_ease);
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
  h3 {
    -webkit-user-select: none;
  }
  .answer {
    max-width: var(--_measure);
    overflow-wrap: anywhere;
  }
  .answer.interim {
    color: var(--_muted);
  }
  .from {
    font-size: var(--_size-tiny);
    color: var(--_muted);
  }
  /* elements whose code is still loading */
  :not(:defined) {
    display: block;
    min-height: 26px;
    color: var(--_muted);
  }
  agent-chat-steps:not(:defined) {
    min-height: max(32px, var(--_target)); /* of its heading */
  }
  .end {
    min-height: 32px;
  }
  .end:not(.growing) {
    visibility: var(--_below);
  }
  /* the form is answered further down */
  .end:empty {
    display: none;
  }
  /* The end of the turn moves down with every line. Sticky content counts as scrolled, which keeps the page's
     measured layout shift at 0. */
  .end.growing {
    position: sticky;
    inset-block-start: -9999px;
  }
`;
