import { css } from 'lit';

/** What waits for the code of items above it: otherwise it would move when they grow from their placeholders. */
export const waitingStyles = css`
  .answer:has(> :not(:defined):empty, > [loading]) ~ .end:not(.growing) {
    visibility: hidden;
  }
  /* content is worth a shift if the code is slow */
  .answer > :is(:not(:defined):empty, [loading]) ~ * {
    animation: waiting 0.01ms 1.5s backwards;
  }
  @keyframes waiting {
    from {
      visibility: hidden;
    }
  }
`;
