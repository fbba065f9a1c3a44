import { css } from 'lit';

/** A card that asks before something is done. It stands out while it is open, and is quiet afterwards. */
export const decisionStyles = css`
  .card {
    container: card / inline-size;
    overflow: clip;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) + 4px);
    background: var(--_surface);
  }

  /* the outer shadow makes the border 2 px without moving the text when the card settles */
  .card.open {
    margin: 1px;
    border-color: var(--_accent-edge);
    box-shadow:
      0 0 0 1px var(--_accent-edge),
      0 6px 20px -4px var(--_shadow-colour);
  }

  .strip {
    display: flex;
    align-items: flex-start;
    gap: var(--_space-2);
    margin: 0;
    padding: 10px 16px;
    border-block-end: 1px solid var(--_line);
    background: var(--_accent-soft);
    color: var(--_accent-text);
    font-size: var(--_size-small);
    font-weight: 600;
    line-height: 1.45;
  }

  .strip > span {
    flex: 1;
    min-inline-size: 0;
  }

  .strip svg {
    inline-size: 18px;
    block-size: 18px;
    margin-block-start: calc((1.45em - 18px) / 2);
  }

  /* once it is decided: what it was about, and what became of it */
  .line {
    display: flex;
    align-items: flex-start;
    gap: 10px;
    inline-size: auto;
    padding: 10px 16px;
    border-radius: calc(var(--_radius) + 3px);
    color: var(--_muted);
  }

  .strip:focus-visible,
  .line:focus-visible {
    outline-offset: -3px;
    border-radius: calc(var(--_radius) + 4px);
  }

  .line > svg {
    flex: none;
    inline-size: 18px;
    block-size: 18px;
    margin-block-start: calc((var(--_size) * 1.35 - 18px) / 2);
  }

  .line > .words {
    display: grid;
    flex: 1;
    gap: 1px;
    min-inline-size: 0;
  }

  .line .title {
    color: var(--_text);
  }

  .line .state {
    font-size: var(--_size-small);
    line-height: 1.45;
    text-align: start;
  }

  .line time {
    color: var(--_muted);
    white-space: nowrap;
  }

  .line time::before {
    content: ' · ';
  }

  .line .help {
    padding-block-start: 5px;
    color: var(--_text);
  }

  .good .line > svg:first-child {
    color: var(--_good);
  }

  .warn .line > svg:first-child,
  .warn .state {
    color: var(--_warn);
  }

  .bad .line > svg:first-child,
  .bad .state {
    color: var(--_bad);
  }

  .dot {
    inline-size: 8px;
    block-size: 8px;
    margin-block-start: calc((var(--_size) * 1.35 - 8px) / 2);
    margin-inline: 5px;
    flex: none;
    border: 4px solid var(--_accent-text);
    border-radius: 50%;
    animation: breathe 1s ease-in-out infinite alternate;
  }

  @keyframes breathe {
    to {
      opacity: 0.25;
    }
  }

  .body,
  .rest {
    display: flex;
    flex-direction: column;
    gap: 14px;
  }

  .body {
    padding: 16px;
  }

  /*
   * What can be pressed stays in view while the end of the card is below it, clear of the fade and of "New below"; the
   * arguments disappear below it, the title does not. Not where that would leave no room for them.
   */
  @container (min-height: 300px) {
    .rest > :is(.choices, .reason) {
      position: sticky;
      inset-block-end: max(var(--_clear, 0px), 8px);
      margin: -14px -4px -16px;
      padding: 14px 4px 16px;
      background: linear-gradient(transparent, var(--_surface) 9px);
      box-shadow: 0 8px var(--_surface);
      container-type: scroll-state;
    }
  }

  /* a longer fade, so that it always meets text */
  @container scroll-state(stuck: bottom) {
    .choices::before {
      content: '';
      position: absolute;
      inset: -26px 0 auto;
      block-size: 35px;
      background: linear-gradient(transparent, var(--_surface));
      pointer-events: none;
    }
  }

  .settled .body {
    gap: var(--_space-2);
    padding-block: 0 14px;
    padding-inline: 44px 16px;
  }

  .what {
    display: grid;
    gap: 3px;
  }

  .open .title {
    font-size: calc(var(--_size) * 18 / 15);
    line-height: 1.3;
  }

  /* texts start at the same edge, whatever their language */
  .body p,
  .line :is(.title, .state, .help) {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .until {
    margin: 0;
    color: var(--_muted);
    font-size: var(--_size-small);
    line-height: 1.4;
  }

  .until svg {
    inline-size: 15px;
    block-size: 15px;
    margin-inline-end: 6px;
    vertical-align: -3px;
  }

  .fault {
    padding: 8px 12px;
    border-radius: var(--_radius);
    background: var(--_bad-soft);
    line-height: 1.45;
  }

  .help {
    margin: 0;
    font-size: var(--_size-small);
    line-height: 1.45;
  }

  .choices {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: var(--_space-2);
  }

  .choices .button {
    min-block-size: max(40px, var(--_target));
  }

  /* a button is as wide as its longest word, so that it wraps into the next row before the word breaks */
  .choices .button,
  agent-chat-form::part(form-submit),
  agent-chat-form::part(form-cancel) {
    max-inline-size: 100%;
    overflow-wrap: break-word;
  }

  .choices .decline {
    margin-inline-end: auto;
  }

  form.reason {
    display: grid;
    gap: 6px;
  }

  form.reason .choices {
    margin-block-start: 6px;
    scroll-margin-block-end: 24px; /* clear of the fade */
  }

  .label {
    font-size: var(--_size-small);
    font-weight: 550;
  }

  textarea.field {
    min-block-size: 60px;
    resize: vertical;
  }

  agent-chat-form::part(form) {
    padding: 0;
    border: 0;
    border-radius: 0;
    background: none;
  }

  /* on a phone the buttons fill their row, however long the words of a language are */
  @container card (width < 420px) {
    .choices .button {
      flex: 1 1 auto;
    }
  }

  @container card (width < 300px) {
    dl > div {
      grid-template-columns: minmax(0, 1fr);
    }

    .body,
    .strip,
    .line {
      padding-inline: 12px;
    }

    .settled .body {
      padding-inline-start: 40px;
    }

    .choices .button {
      flex: 1 1 40%;
      padding-inline: 8px;
    }

    .choices .main,
    agent-chat-form::part(form-submit) {
      flex: 1 1 100%;
    }

    agent-chat-form::part(form-cancel) {
      flex: 1 1 40%;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .dot {
      animation: none !important;
    }
  }

  @media (forced-colors: active) {
    .card.open {
      border-width: 3px;
      border-color: CanvasText;
    }
    /* gradients and shadows are missing there */
    @container (min-height: 300px) {
      .rest > :is(.choices, .reason) {
        inset-block-end: calc(max(var(--_clear, 0px), 8px) - 8px);
        margin-block-end: -24px;
        border-block-end: 8px solid Canvas;
        background: Canvas;
      }
    }
  }
`;
