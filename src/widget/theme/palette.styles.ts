import { css } from 'lit';

/** The colours that no brand changes: greys and signals. Print has the light ones. */
export const paletteStyles = css`
  :host {
    --_surface: light-dark(#fff, #14171c);
    --_raised: light-dark(#f6f7f9, #1c2027);
    --_hover: light-dark(#eef0f3, #252a32);
    --_code: var(--_raised);
    --_line: light-dark(#e3e6ea, #2a3038);
    --_line-field: light-dark(#8b9096, #636b74);
    --_text: light-dark(#16191d, #e8ebef);
    --_muted: light-dark(#5b646f, #9aa4b1);
    --_good: light-dark(#137a4b, #5fd39b);
    --_warn: light-dark(#8a5a00, #e8b65a);
    --_bad: light-dark(#b3261e, #ff8a80);
    --_bad-soft: light-dark(#f7e9e9, #2c2326);
    --_outline: light-dark(#00000012, #303337);
    --_shadow-colour: light-dark(#0f192d47, #0009);
  }
  @media print {
    :host {
      color-scheme: light;
    }
  }
`;
