import { css } from 'lit';

/** A box that says what went wrong and offers a remedy. */
export const noticeStyles = css`
  .notice {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space-2) 10px;
    align-items: center;
    border: 1px solid color-mix(in srgb, var(--_bad) 32%, transparent);
    border-radius: var(--_radius);
    padding: 9px 12px;
    background: var(--_bad-soft);
    font-size: 0.9333em;
  }
  .words {
    flex: 1 1 150px;
    min-width: 0;
  }
  .button {
    min-height: max(30px, var(--_target));
    padding: 2px 11px;
    font-size: calc(var(--_size) * 0.9);
  }
  /* while a delay counts down: still a button, but not yet one to press */
  .button[aria-disabled='true'] {
    border-color: currentColor;
    background: none;
  }
`;
