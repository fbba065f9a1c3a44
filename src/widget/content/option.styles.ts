import { css } from 'lit';

/** Styles of the options. */
export const optionStyles = css`
  .option {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    max-inline-size: 100%;
    min-block-size: max(34px, var(--_target));
    padding: 5px 13px;
    border: 1px solid color-mix(in srgb, var(--_accent-text) 55%, transparent);
    border-radius: calc(var(--_radius) * 2.2); /* round ends by default, also where targets are larger */
    background: none;
    color: var(--_accent-text);
    font-size: calc(var(--_size) * 14 / 15);
    line-height: 1.4;
    text-align: start;
    transition: background-color var(--_duration) var(--_ease);
  }

  .option:hover:not([aria-disabled='true']) {
    background: var(--_accent-soft);
  }

  .option svg {
    inline-size: 15px;
    block-size: 15px;
  }

  .option[aria-disabled='true'] {
    border-color: var(--_line);
    color: var(--_muted);
  }

  .option[aria-pressed='true'] {
    border-color: var(--_accent-edge);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .actions + .description {
    margin-block-start: var(--_space-2);
  }

  .row {
    display: flex;
    gap: var(--_space-2);
  }

  .row select {
    flex: 1;
    min-inline-size: 0;
  }

  @media (forced-colors: active) {
    .option[aria-pressed='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
