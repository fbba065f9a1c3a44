import { css } from 'lit';

/** Layouts of the panel: floating, full screen or in place. */
export const panelStyles = css`
  :host {
    display: block;
    height: 100%;
  }

  /* Clipped and not hidden, so that neither focus nor a script can scroll the panel. Percentages are relative to
     the layer: viewport units would ignore the page's zoom and include its scrollbar. */
  .panel {
    position: fixed;
    --_room-inline: calc(100% - 2 * var(--_aside));
    --_room-block: calc(100% - var(--_under) - var(--_offset));
    --_width: min(max(var(--_panel-width, 400px), 280px), var(--_room-inline));
    /* leaves room for the open panels of other chats on the page */
    --_from-end: calc(
      var(--_aside) +
        min(var(--_panel-place, 0) * (var(--_width) + 12px), var(--_room-inline) - var(--_width))
    );
    right: var(--_from-end);
    inset-block-end: var(--_under);
    container: panel / size;
    display: grid;
    grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr);
    width: var(--_width);
    height: min(max(var(--_panel-height, 640px), 320px), var(--_room-block));
    overflow: clip;
    border-radius: var(--_radius-panel);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    transform-origin: bottom right;
    animation: enter var(--_duration-slow) var(--_ease);
  }

  /* Korean has spaces, and breaks its lines there */
  .panel:lang(ko) {
    word-break: keep-all;
  }

  /* The page's direction decides on which side the launcher is; the panel's own direction may differ. */
  :host(:dir(rtl)) :where(.panel) {
    right: auto;
    left: var(--_from-end);
    transform-origin: bottom left;
  }

  .panel.closed {
    visibility: hidden;
    opacity: 0;
    transform: translateY(8px) scale(0.985);
    animation: none;
    transition:
      opacity var(--_duration) var(--_ease),
      transform var(--_duration) var(--_ease),
      visibility 0s var(--_duration);
  }

  @keyframes enter {
    from {
      opacity: 0;
      transform: translateY(8px) scale(0.985);
    }
  }

  .panel.expanded {
    --_width: min(max(var(--_panel-width, 400px), 760px), var(--_room-inline));
    height: var(--_room-block);
  }

  .panel.fullscreen-overlay {
    inset: 0;
    padding-left: env(safe-area-inset-left);
    padding-right: env(safe-area-inset-right);
    width: auto;
    height: auto;
    border-radius: 0;
    box-shadow: none;
  }

  /* Touching parts that do not scroll must not scroll the page behind. */
  .panel:not(.custom) :is(agent-chat-header, footer) {
    touch-action: pinch-zoom;
  }

  .panel.custom {
    --_overscroll: auto;
    position: relative;
    inset: auto;
    width: min(var(--_panel-width, 100%), 100%);
    height: min(var(--_panel-height, 640px), 100dvh);
    min-height: 160px;
    max-height: 100%; /* of a container with a fixed height; the layer clips the rest */
    /* for heights in percent in a container without a height */
    contain-intrinsic-block-size: min(640px, 100dvh);
    box-shadow: none;
    border: 1px solid var(--_outline);
    animation: none;
  }

  /* Visible only while focused. */
  .help {
    z-index: 2;
    --_focus: var(--_on-primary);
    inset-block-start: 10px;
    inset-inline-start: 10px;
    position: absolute;
    max-width: calc(100% - 20px);
  }

  footer {
    background: var(--_surface);
    padding: 8px max(var(--_space-4), (100% - var(--_measure)) / 2) max(12px, env(safe-area-inset-bottom));
  }

  /* On the welcome page the header's colour flows on, and a wide panel has its composer near the middle. */
  .home agent-chat-header {
    z-index: 1;
    border-color: transparent;
    box-shadow: 0 1px var(--_primary); /* at 125 % the parts of the page meet between two pixels of the screen */
  }

  @container panel (min-width: 680px) and (min-height: 560px) {
    .home footer {
      padding-block-end: min(20cqb, 100cqb - 548px);
    }
  }

  .fine {
    margin: 8px -6px 0; /* one line in a narrow sidebar */
    text-align: center;
    font-size: var(--_size-tiny);
    line-height: 1.4;
    color: var(--_muted);
  }

  /* Phones, and windows as small as a phone: the panel covers everything but the on-screen keyboard. */
  @media (max-width: 479.98px), (max-height: 319.98px), (max-height: 479.98px) and (pointer: coarse) {
    .panel:not(.custom) {
      inset: auto;
      padding-left: env(safe-area-inset-left);
      padding-right: env(safe-area-inset-right);
      inset-block-start: var(--_viewport-top, 0px);
      inset-inline: 0;
      width: auto;
      height: var(--_viewport-height, 100%);
      border-radius: 0;
      box-shadow: none;
    }
    .panel agent-chat-header {
      padding-block: max(3px, env(safe-area-inset-top)) 2px;
      box-shadow:
        -99px 0 var(--_primary),
        99px 0 var(--_primary); /* its colour goes on beside a notch */
    }
  }

  /* A phone in landscape with its keyboard open. */
  :host([low]) .panel:not(.custom) {
    grid-template-rows: minmax(0, 1fr) auto;
  }
  :host([low]) :is(.panel:not(.custom) agent-chat-header, .panel:not(.custom) .fine) {
    display: none;
  }

  /* A laptop at 200 % zoom, or a low container: header and composer shrink to leave lines to read. */
  @container panel (max-height: 340px) {
    footer {
      padding-block: 4px max(6px, env(safe-area-inset-bottom));
    }
    .fine {
      margin-block-start: 3px;
    }
  }

  @container panel (max-height: 200px) {
    .fine {
      display: none;
    }
  }

  /* In print, a chat in place is shown at its full height. */
  @media print {
    .panel.custom {
      container: none;
      display: block;
      height: auto;
      max-height: none;
      overflow: visible;
    }
    footer {
      display: none;
    }
  }

  @media (forced-colors: active) {
    .panel {
      border: 1px solid CanvasText;
    }
  }
`;
