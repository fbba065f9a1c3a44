import { css } from 'lit';

/** Styles of the tile of a file. */
export const fileTileStyles = css`
  .file {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--_space-3);
    min-block-size: 44px;
    padding: 7px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    text-decoration: none;
    line-height: 1.35;
  }

  .file > svg {
    color: var(--_muted);
  }

  .type {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 38px;
    block-size: 38px;
    border-radius: calc(var(--_radius) * 0.7);
    background: var(--_accent-soft);
    color: var(--_accent-text);
    font-size: 10.5px;
    font-weight: 700;
    letter-spacing: 0.02em;
    overflow: clip;
  }

  .type :is(img, canvas) {
    inline-size: 100%;
    block-size: 100%;
    object-fit: cover;
  }

  /* below the type where there is room for a few letters only */
  .name {
    flex: 1;
    min-inline-size: 80px;
  }

  small {
    display: block;
    color: var(--_muted);
    font-size: var(--_size-tiny);
  }
`;
