import { css } from 'lit';

/** The class `field`, for the controls in which visitors write or choose. They load with the first that is shown. */
export const fieldStyles = css`
  .field {
    display: block;
    width: 100%;
    min-height: max(38px, var(--_target));
    margin: 0;
    padding: 6px 11px;
    border: 1px solid var(--_line-field);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font-size: var(--_size-input);
    line-height: 1.4;
  }

  .field::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  .field:disabled {
    background: var(--_raised);
    color: var(--_muted);
  }

  .field[aria-invalid='true'] {
    border-color: var(--_bad);
    outline: 1px solid var(--_bad);
    outline-offset: 0;
  }

  /* An invalid one, too: its words stay red. In WebKit, a date's part has the visible focus, not the field. */
  .field:is(:focus-visible, input:focus) {
    border-color: var(--_focus);
    outline: 1px solid var(--_focus);
    outline-offset: 0;
  }

  @media (prefers-contrast: more) {
    .field {
      border-color: currentColor;
    }
  }

  @media (forced-colors: active) {
    .field:is(:focus-visible, input:focus) {
      outline: 2px solid Highlight;
    }
  }
`;
