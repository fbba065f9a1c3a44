import { css } from '@lit/reactive-element';

/** Place and size of the panel that is to come, and its look as far as that is known without its code. */
export const shellStyles = css`
  .shell {
    position: fixed;
    inset: 0;
    box-sizing: border-box;
    container: shell / size;
    display: grid;
    grid-template: auto 1fr auto / minmax(0, 1fr);
    overflow: clip;
    background: Canvas;
    color: CanvasText;
    font-size: var(--agent-chat-size, 15px);
    line-height: 1.4;
  }
  /* its own place follows the page's direction, like the launcher's */
  .shell > * {
    direction: var(--_dir, inherit);
  }
  .shell[hidden],
  .shell [hidden] {
    display: none;
  }
  .custom > .shell {
    position: relative;
    width: min(var(--_panel-width, 100%), 100%);
    height: min(var(--_panel-height, 640px), 100dvh);
    min-height: 160px;
    max-height: 100%;
    border-radius: var(--agent-chat-radius-panel, 16px);
    border: 1px solid #8886;
  }
  @media (min-width: 480px) and (min-height: 320px) {
    .float > .shell {
      --_room: calc(100% - 2 * var(--_aside));
      --_width: min(max(var(--_panel-width, 400px), 280px), var(--_room));
      inset: auto;
      inset-block-end: var(--_under);
      inset-inline-end: calc(
        var(--_aside) + min(var(--_panel-place, 0) * (var(--_width) + 12px), var(--_room) - var(--_width))
      );
      width: var(--_width);
      height: min(max(var(--_panel-height, 640px), 320px), 100% - var(--_under) - var(--_offset));
      border-radius: var(--agent-chat-radius-panel, 16px);
      box-shadow: 0 12px 40px -8px #0006;
    }
  }
  header,
  .box {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  header {
    box-sizing: border-box;
    min-height: max(var(--agent-chat-header-height, 56px), env(safe-area-inset-top) + 44px);
    padding-block-start: env(safe-area-inset-top);
    padding-inline: 16px 8px;
    background: var(--_primary);
    color: #fff;
  }
  header div {
    flex: 1;
    display: grid;
    grid: auto / minmax(0, auto) 1fr;
    align-items: center;
    min-width: 0;
  }
  header div > * {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-weight: 600;
    line-height: 1.25;
  }
  small {
    width: max-content;
    margin: 0 6px;
    padding: 1px 5px;
    border-radius: 5px;
    background: #8886;
    font-size: 0.73em;
  }
  header span {
    grid-column: 1 / 3;
    min-height: 1.35em;
    font-size: 0.8em;
    font-weight: 400;
    line-height: 1.35;
  }
  .list {
    display: flex;
    flex-direction: column;
    align-items: end; /* of the list, not of the text, which may run the other way */
    overflow: auto;
    padding: 16px;
  }
  .list p {
    max-width: 85%;
    box-sizing: border-box;
    margin: 0 0 10px;
    padding: 8px 13px;
    border-radius: var(--agent-chat-radius-message, 16px);
    background: #8883;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  footer {
    padding: 8px max(16px, (100% - 72ch) / 2) max(12px, env(safe-area-inset-bottom));
  }
  /* the place of the composer on the welcome page */
  @container shell (min-width: 680px) and (min-height: 560px) {
    .list:empty + footer {
      padding-block-end: min(20cqb, 100cqb - 548px);
    }
  }
  footer p {
    margin: 0;
  }
  .shell p button {
    width: auto;
    text-decoration: underline;
  }
  .box {
    padding: 5px;
    padding-inline-start: 14px;
    border: 1px solid #868e98;
    border-radius: var(--agent-chat-radius-control, 14px);
  }
  .box:focus-within {
    border-color: var(--_accent-edge);
    box-shadow: 0 0 0 1px var(--_accent-edge);
  }
  textarea,
  .shell button {
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
  }
  textarea {
    flex: 1;
    min-width: 0;
    max-height: 9em;
    padding: 7px 0;
    outline: none;
    font-size: max(16px, var(--agent-chat-size, 15px));
    resize: none;
    field-sizing: content;
  }
  textarea::placeholder {
    color: inherit;
    opacity: 0.65;
  }
  .shell button {
    display: grid;
    place-items: center;
    width: 36px;
    height: 36px;
    padding: 0;
    border-radius: 10px;
    cursor: pointer;
  }
  .box button {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  textarea:placeholder-shown + button {
    background: #8881;
    color: #868e98;
  }
  .shell svg {
    width: 18px;
    height: 18px;
  }
  @supports (color: light-dark(color(from red xyz-d65 calc(x / y) y z), red)) {
    .shell {
      background: light-dark(var(--agent-chat-surface-light, #fff), var(--agent-chat-surface-dark, #14171c));
    }
    header {
      background: light-dark(var(--_primary), oklch(from var(--_primary) calc(l * 0.85) c h));
      color: color(
        from var(--_primary) xyz-d65 calc(0.9505 * var(--_ink)) var(--_ink) calc(1.089 * var(--_ink))
      );
    }
  }
  @media (forced-colors: active) {
    .launcher {
      border: 2px solid ButtonText;
    }
    .shell,
    .list p {
      border: 1px solid CanvasText;
    }
    .box:focus-within {
      outline: 2px solid Highlight;
    }
  }
`;
