import { css } from '@lit/reactive-element';

/** The layer and the launcher in its corner: everything that is visible before the panel loads. */
export const agentChatStyles = css`
  :host {
    display: contents;
  }
  :host([hidden]) {
    display: none !important;
  }
  .layer {
    --_offset: var(--agent-chat-launcher-offset, 20px);
    --_side: var(--agent-chat-launcher-size, 56px);
    /* from the sides of the window to the launcher, and from below to what stands above it */
    --_aside: max(var(--_offset), env(safe-area-inset-left), env(safe-area-inset-right));
    --_under: calc(max(var(--_offset), env(safe-area-inset-bottom)) + var(--_side) + 12px);
    all: initial; /* also resets the engine's popover styles: margin, border, padding, colours */
    box-sizing: border-box;
    /* the fallback applies when neither token nor page names a font */
    font-family: var(--agent-chat-font, system-ui, sans-serif);
    display: block;
    color-scheme: light dark;
    --_host-accent: #0b62d6; /* the default; the element's style sets the host's own */
    /* the accent of the host: within sRGB, a translucent one laid over white */
    --_opaque: color(
      from var(--_host-accent) srgb clamp(0, r * alpha + 1 - alpha, 1) clamp(0, g * alpha + 1 - alpha, 1)
        clamp(0, b * alpha + 1 - alpha, 1) / 1
    );
    /* y is the luminance of the colour it is used in. Where white would nearly read, as on red, it is darkened: see
       carryWhite */
    --_fit: max(min(1, 0.18 / y), clamp(0, (y - 0.227) * 1e5, 1));
    --_accent: color(
      from var(--_opaque) xyz-d65 calc(x * var(--_fit)) calc(y * var(--_fit)) calc(z * var(--_fit))
    );
    /* white (1) reads on it at 4.5:1, or black (0) does */
    --_ink: clamp(0, (0.1825 - y) * 1e5, 1);
    --_on-accent: color(
      from var(--_accent) xyz-d65 calc(0.9505 * var(--_ink)) var(--_ink) calc(1.089 * var(--_ink))
    );
    /* at least 3:1 on a white page, or on a near-black one */
    --_darken: min(1, 0.29 / y);
    --_lighten: max(0, 0.13 - y);
    --_accent-edge: light-dark(
      color(
        from var(--_accent) xyz-d65 calc(x * var(--_darken)) calc(y * var(--_darken)) calc(z * var(--_darken))
      ),
      color(
        from var(--_accent) xyz-d65 calc(x + 0.9505 * var(--_lighten)) calc(y + var(--_lighten))
          calc(z + 1.089 * var(--_lighten))
      )
    );
  }
  .layer:not(.custom) {
    position: fixed;
    inset-block-end: max(var(--_offset), env(safe-area-inset-bottom));
    /* leaves room for the launchers of other chats on the page */
    inset-inline-end: calc(var(--_aside) + var(--_place, 0) * (var(--_side) + 12px));
    z-index: 2147483000; /* for engines without a top layer; ignored inside it */
    pointer-events: none;
  }
  .layer > * {
    pointer-events: auto;
  }
  .launcher {
    all: unset;
    pointer-events: auto;
    position: relative;
    box-sizing: border-box;
    display: grid;
    place-items: center;
    width: var(--_side);
    height: var(--_side);
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow:
      inset 0 0 0 1px var(--_accent-edge),
      0 6px 20px -4px color-mix(in srgb, var(--_accent) 55%, #0006);
    cursor: pointer;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
    transition: transform var(--agent-chat-duration, 160ms) cubic-bezier(0.2, 0, 0, 1);
  }
  .launcher:hover {
    transform: scale(1.05);
  }
  .launcher:focus-visible {
    outline: 3px solid var(--_accent-edge);
    outline-offset: 2px;
    box-shadow: 0 0 0 2px var(--_on-accent);
  }
  .layer svg,
  .launcher ::slotted(*) {
    display: grid;
    place-items: center;
    width: 24px;
    height: 24px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .launcher.failed::after {
    content: '!';
  }
  /* The launcher under a panel that covers the window; the panel's Close button takes its place. */
  .layer.fullscreen-overlay .covered {
    visibility: hidden;
  }
  @media (max-width: 479.98px), (max-height: 319.98px), (max-height: 479.98px) and (pointer: coarse) {
    .covered {
      visibility: hidden;
    }
  }
  .badge,
  .launcher.failed::after {
    position: absolute;
    inset-block-start: -2px;
    inset-inline-end: -2px;
    box-sizing: border-box;
    min-width: 20px;
    padding: 0 5px;
    border-radius: 10px;
    background: #b3261e;
    color: #fff;
    font-size: 12px;
    font-weight: 600;
    line-height: 20px;
    text-align: center;
    box-shadow: 0 0 0 2px Canvas;
  }
  .layer.custom {
    position: relative; /* keeps visually hidden text from scrolling the page or its container */
    overflow: clip;
    width: 100%;
    height: 100%;
  }
  @media (prefers-reduced-motion: reduce) {
    .layer * {
      transition: none;
      animation: none !important;
    }
  }
  @media print {
    .layer.custom {
      height: auto;
    }
    .layer:not(.custom) {
      display: none;
    }
  }
`;
