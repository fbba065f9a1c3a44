import { css } from 'lit';

/** Styles of the lightbox. */
export const lightboxStyles = css`
  dialog {
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    max-inline-size: none;
    max-block-size: none;
    padding: 0;
    border: 0;
    background: rgb(8 10 14 / 0.9);
    color: #fff;
    --_focus: #fff;
    --_icon-button-hover: rgb(255 255 255 / 0.2);
  }

  dialog[open] {
    animation: appear var(--_duration) var(--_ease);
  }

  @keyframes appear {
    from {
      opacity: 0;
    }
  }

  .stage {
    display: grid;
    place-items: safe center;
    inline-size: 100%;
    block-size: 100%;
    overflow: auto;
    touch-action: pan-x pan-y;
  }

  /* it fills the window */
  .stage:focus-visible {
    outline-offset: -4px;
  }

  img {
    max-inline-size: 94vw;
    max-block-size: 94vh;
    border-radius: 4px;
    zoom: var(--_zoom, 1);
  }

  button {
    position: absolute;
    inset-block-start: max(12px, env(safe-area-inset-top));
    inset-inline-end: max(12px, env(safe-area-inset-left), env(safe-area-inset-right));
    background: rgb(8 10 14 / 0.6);
  }
`;
