import { css } from 'lit';

/** Styles of the bubble that announces an answer. */
export const arrivalStyles = css`
  :host {
    display: block;
    position: fixed;
    inset-block-end: var(--_under);
    inset-inline-end: var(--_aside);
    width: min(320px, 100% - 2 * var(--_offset));
    animation: arrive var(--_duration-slow) var(--_ease);
  }
  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
  .open {
    display: flex;
    gap: 10px;
    width: 100%;
    padding: 12px 44px 12px 12px;
    border: 0;
    border-radius: var(--_radius-message);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_text);
    text-align: start;
  }
  .open:dir(rtl) {
    padding: 12px 12px 12px 44px;
  }
  .open:hover {
    background: var(--_raised);
  }
  .avatar {
    --_avatar: 32px;
    border-radius: var(--_radius);
    background: var(--_primary);
    color: var(--_on-primary);
    font-size: 14px;
  }
  .words {
    min-width: 0;
  }
  .name {
    font-size: var(--_size-small);
    font-weight: 600;
    line-height: 1.3;
  }
  .text {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    line-clamp: 3;
    margin-block-start: 1px;
    font-size: calc(var(--_size) * 14 / 15);
    line-height: 1.4;
    overflow-wrap: anywhere;
  }
  .dismiss {
    position: absolute;
    inset-block-start: 6px;
    inset-inline-end: 6px;
  }
  @media (forced-colors: active) {
    .open {
      border: 1px solid CanvasText;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;
