import { css } from 'lit';

/** Styles of the media items. */
export const mediaElementStyles = css`
  img,
  video {
    display: block;
    max-inline-size: 100%;
    border-radius: var(--_media-radius, var(--_radius));
    background: var(--_raised);
  }

  img {
    max-block-size: 360px;
    min-block-size: 24px;
    inline-size: var(--_media-size, auto);
    object-fit: var(--_media-fit, contain);
  }

  video {
    inline-size: 100%;
    aspect-ratio: 16 / 9;
    background: #000;
  }

  audio {
    display: block;
    inline-size: 100%;
    block-size: 44px;
  }

  .load {
    display: flex;
    align-items: center;
    gap: var(--_space-3);
    inline-size: 100%;
    min-block-size: 72px;
    padding: 12px 14px;
    border: 1px dashed var(--_line-field);
    border-radius: var(--_radius);
    background: var(--_raised);
    color: var(--_text);
    text-align: start;
    line-height: 1.4;
  }

  .load:hover {
    background: var(--_hover);
  }

  .load svg {
    inline-size: 22px;
    block-size: 22px;
    color: var(--_muted);
  }

  .load small {
    display: block;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  .heading {
    padding-inline: var(--_media-inset, 0px);
  }
`;
