import { css } from 'lit';

/**
 * The line that says what the agent is doing: a mark, then text over which a light passes. Status line and steps
 * share it, so that one can take the other's place without a move.
 */
export const workLineStyles = css`
  .work {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: max(32px, var(--_target));
    font-size: 0.9333em;
    color: var(--_muted);
  }
  /* drawn with a border, which forced colours keep */
  .pulse {
    margin: 0 4px;
    border: 4px solid var(--_accent-text);
    border-radius: 50%;
    flex: none;
  }
  .line {
    position: relative;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  /* no animation while text grows, which costs work in each frame, or while the connection is down */
  .live .pulse {
    animation: breathe 1s ease-in-out infinite alternate;
  }
  .live .line::after {
    content: '';
    position: absolute;
    inset: 0;
    background: linear-gradient(
      100deg,
      transparent 30%,
      color-mix(in srgb, var(--_ground, var(--_surface)) 72%, transparent) 50%,
      transparent 70%
    );
    animation: shimmer 1.8s ease-in-out infinite;
  }
  @keyframes breathe {
    to {
      opacity: 0.25;
    }
  }
  @keyframes shimmer {
    from {
      transform: translateX(-100%);
    }
    to {
      transform: translateX(100%);
    }
  }
  @media (prefers-reduced-motion: reduce), (forced-colors: active) {
    .live .line::after {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .live .pulse {
      animation: none;
    }
  }
`;
