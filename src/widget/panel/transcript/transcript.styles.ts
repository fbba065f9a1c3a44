import { css } from 'lit';

/** The conversation: its scroller, the marks between turns, and the button that leads to what is new below. */
export const transcriptStyles = css`
  :host {
    position: relative;
    display: flex;
    flex-direction: column;
    min-height: 0;
    background: var(--_surface);
    container-type: size;
    /* answers can be copied, also from a page that turns selection off; every engine knows the prefix */
    -webkit-user-select: text;
  }
  /* Text fades at both ends where there is more of it, but not the question at the top. A scroll timeline would restyle
     both with every growing line. */
  @media screen {
    .scroller::before,
    .scroller::after {
      --_edge: 16px;
      content: '';
      position: sticky;
      pointer-events: none;
      display: block;
      height: var(--_edge);
      opacity: 0;
      visibility: var(--_fades);
      transition: opacity var(--_duration);
      z-index: 1;
    }
    .scroller::before {
      inset-block-start: 0;
      margin-block-end: calc(-1 * var(--_edge));
      background: linear-gradient(var(--_surface), transparent);
    }
    .scroller::after {
      inset-block-end: 0;
      margin-block-start: calc(-1 * var(--_edge));
      background: linear-gradient(transparent, var(--_surface) 16px);
    }
    [data-more-above]::before,
    [data-more-below]::after {
      opacity: 1;
    }
    /* The turn that has just begun has the space of a view. Shared with turns below it, the space is the content's: it
       does not change while an answer grows. */
    .content:has(.pinned):not([style*='--_above']) > agent-chat-turn:last-of-type {
      min-height: calc(100cqb - var(--_space-4) - var(--_space-2));
    }
    .content {
      min-height: max(100%, var(--_above, 0px) + 100cqb - var(--_space-4));
    }
  }
  .scroller {
    position: relative; /* visually hidden text scrolls with the rest */
    flex: 1;
    min-height: 0;
    overflow-x: hidden;
    overscroll-behavior: var(--_overscroll);
    scroll-padding-block: 16px var(--_clear, 16px); /* room for the ring of what takes the focus */
  }
  /* what takes the focus is scrolled clear of the button; the fade covers what is below it */
  .scroller:has(.pill) {
    --_clear: calc(max(30px, var(--_target)) + 20px);
  }
  .scroller:has(.pill)::after {
    --_edge: calc(var(--_clear) + 14px);
  }
  .scroller:focus-visible {
    --_fades: hidden; /* they would cover the focus ring */
    outline-offset: -2px;
  }
  /* a scrollbar stands in the padding, so that the column has the composer's edges with and without one */
  .content {
    --_gutter: max(var(--_space-4), (100cqi - var(--_measure)) / 2);
    display: flex;
    flex-direction: column;
    gap: var(--_space-5);
    padding-block: var(--_space-4) var(--_space-2);
    padding-inline: var(--_gutter) calc(var(--_gutter) - 100cqi + 100%);
    overflow-x: clip;
  }
  .mark,
  .earlier {
    align-self: center;
  }
  .mark {
    margin: 0;
    font-size: var(--_size-tiny);
    color: var(--_muted);
  }
  /* in the scroller, so that a swipe which begins on the button scrolls, but without a height */
  .below {
    position: sticky;
    z-index: 2;
    inset-block-end: 10px;
    height: 0;
    overflow-anchor: none;
  }
  .pill {
    position: absolute;
    inset-block-end: 0;
    inset-inline: 0;
    margin-inline: auto;
    display: flex;
    align-items: center;
    gap: 6px;
    width: fit-content;
    min-height: max(30px, var(--_target));
    padding: 3px 12px;
    border: 1px solid transparent; /* visible in forced colours */
    border-radius: var(--_radius-pill);
    background: var(--_surface);
    box-shadow: var(--_shadow-small);
    font-size: var(--_size-small);
    scroll-margin-block-end: -60px; /* focus does not scroll what is always in view */
  }
  /* Above a phone's keyboard every line counts: only the arrow stands there, at the side. */
  @container (max-height: 279.98px) {
    .scroller:has(.pill)::after {
      --_edge: 16px;
    }
    .pill {
      inset-inline: auto var(--_space-4);
      gap: 0;
      font-size: 0;
    }
    .pill svg {
      font-size: 15px;
    }
    /* it would cover the buttons of a form in which somebody writes */
    .content:focus-within ~ .below {
      display: none;
    }
  }
  /* At 400 % zoom there is no room beside a field and its label. */
  @container (max-height: 139.98px) {
    .scroller:has(.pill) {
      --_clear: 6px;
    }
  }
  @media print {
    :host {
      container-type: inline-size;
    }
    .scroller {
      flex: none;
      overflow: visible;
    }
    .pill {
      display: none;
    }
  }
`;
