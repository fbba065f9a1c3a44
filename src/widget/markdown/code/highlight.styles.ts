import { css } from 'lit';

/** Colours of highlighted code; loaded with the highlighter. */
export const highlightStyles = css`
  .lines .keyword {
    color: var(--_accent-text, var(--_accent));
  }

  .lines .string {
    color: var(--_good);
  }

  .lines .number {
    color: var(--_warn);
  }

  .lines .comment {
    color: var(--_muted);
    font-style: italic;
  }

  .lines .name {
    font-weight: 600;
  }

  .lines .added {
    background: color-mix(in srgb, var(--_good) 14%, transparent);
  }

  .lines .removed {
    background: color-mix(in srgb, var(--_bad) 14%, transparent);
  }
`;
