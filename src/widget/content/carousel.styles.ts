import { css } from 'lit';

/** Styles of the carousel. */
export const carouselStyles = css`
  .slides {
    display: flex;
    gap: var(--_space-2);
    padding: 2px;
    margin: -2px;
    overflow-x: auto;
    overscroll-behavior-inline: contain;
    scroll-padding-inline: 2px;
    scroll-snap-type: inline mandatory;
    scrollbar-width: none;
  }

  /* cards fade at an edge where there are more of them; engines without scroll timelines cut them off */
  @supports (animation-timeline: scroll()) {
    .slides {
      --_to: right;
      --_before: #000;
      --_after: #000;
      mask-image: linear-gradient(to var(--_to), var(--_before), #000 24px calc(100% - 24px), var(--_after));
      animation: edges linear both;
      animation-duration: auto !important; /* with reduced motion, too: nothing moves by itself */
      animation-timeline: scroll(self inline);
    }
    .slides:dir(rtl) {
      --_to: left;
    }
  }
  @keyframes edges {
    0% {
      --_before: #000;
      --_after: transparent;
    }
    1%,
    99% {
      --_before: transparent;
      --_after: transparent;
    }
    100% {
      --_before: transparent;
      --_after: #000;
    }
  }

  li {
    flex: 0 0 min(82%, 280px);
    min-inline-size: 0;
    scroll-snap-align: start;
  }

  li:only-child {
    flex-basis: 100%;
  }

  .steps {
    display: flex;
    align-items: center;
    gap: var(--_space-1);
    margin-block-start: var(--_space-1);
    color: var(--_muted);
    font-size: var(--_size-small);
    font-variant-numeric: tabular-nums;
  }

  .steps [aria-disabled] {
    background: none;
    opacity: 0.45;
  }
`;
