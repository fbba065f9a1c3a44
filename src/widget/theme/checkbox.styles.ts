import { css } from 'lit';

/** Checkboxes and radio buttons in the theme's colours; native ones are grey in dark mode. */
export const checkboxStyles = css`
  input:is([type='checkbox'], [type='radio']) {
    display: grid;
    place-content: center;
    flex: none;
    inline-size: 18px;
    block-size: 18px;
    margin: 0;
    appearance: none;
    border: 1px solid var(--_line-field);
    border-radius: 5px;
    background: var(--_surface);
    cursor: pointer;
    print-color-adjust: exact;
  }

  input[type='radio'] {
    border-radius: 50%;
  }

  input:is([type='checkbox'], [type='radio']):hover {
    border-color: var(--_accent-text);
  }

  input:is([type='checkbox'], [type='radio']):checked {
    border-color: var(--_accent-text);
    background: var(--_accent-text);
  }

  input:checked::before {
    content: '';
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--_surface);
  }

  input[type='checkbox']:checked::before {
    inline-size: 5px;
    block-size: 9px;
    border: solid var(--_surface);
    border-width: 0 2px 2px 0;
    border-radius: 0;
    background: none;
    transform: translateY(-1px) rotate(45deg);
  }

  input:is([type='checkbox'], [type='radio']):disabled {
    border-color: var(--_line);
    cursor: default;
  }

  input:is([type='checkbox'], [type='radio']):disabled:checked {
    background: var(--_muted);
  }

  @media (forced-colors: active) {
    input:is([type='checkbox'], [type='radio']) {
      appearance: auto;
    }

    input:is([type='checkbox'], [type='radio'])::before {
      content: none;
    }
  }
`;
