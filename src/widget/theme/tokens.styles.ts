import { css } from 'lit';

/**
 * Private tokens that are not colours, set on the panel's root and inherited by every component. Colours come from
 * `applyTheme` on the same element.
 */
export const tokenStyles = css`
  :host {
    --_font: var(--agent-chat-font, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif);
    --_font-mono: var(--agent-chat-font-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
    --_size: var(--agent-chat-size, 15px);
    --_size-large: calc(var(--_size) * 22 / 15);
    --_size-small: calc(var(--_size) * 13 / 15);
    --_size-tiny: calc(var(--_size) * 12 / 15);
    --_size-input: var(--_size);
    --_line-height: var(--agent-chat-line-height, 1.55);
    --_measure: var(--agent-chat-measure, 72ch);
    --_space-1: var(--agent-chat-space, 4px);
    --_space-2: calc(var(--_space-1) * 2);
    --_space-3: calc(var(--_space-1) * 3);
    --_space-4: calc(var(--_space-1) * 4);
    --_space-5: calc(var(--_space-1) * 5);
    --_radius-panel: var(--agent-chat-radius-panel, 16px);
    --_radius-message: var(--agent-chat-radius-message, 16px);
    --_radius-tail: min(4px, var(--_radius-message));
    --_radius-control: var(--agent-chat-radius-control, 14px);
    --_radius: var(--agent-chat-radius, 10px);
    --_radius-small: calc(var(--_radius) / 2);
    --_radius-pill: 999px;
    --_control: 36px;
    --_target: 24px;
    --_header-height: var(--agent-chat-header-height, 56px);
    --_overscroll: contain;
    --_shadow: var(--agent-chat-shadow, 0 0 0 1px var(--_outline), 0 12px 40px -8px var(--_shadow-colour));
    --_shadow-small:
      0 0 0 1px var(--_line), 0 4px 14px color-mix(in srgb, var(--_shadow-colour) 50%, transparent);
    --_duration: var(--agent-chat-duration, 160ms);
    --_duration-slow: calc(var(--_duration) * 1.25);
    --_ease: cubic-bezier(0.2, 0, 0, 1);

    color: var(--_text);
    font-size: var(--_size);
    line-height: var(--_line-height);
    font-family: var(--_font); /* set separately: an empty token means the page's own font */
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }

  @media (pointer: coarse) {
    :host {
      --_size-input: max(16px, var(--_size));
      --_target: 44px;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    :host {
      --_duration: 0ms;
    }
  }
`;
