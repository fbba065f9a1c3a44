import { css } from 'lit';

/** Styles of a field with a list of suggestions, before the list has loaded. */
export const comboboxBoxStyles = css`
  .combobox {
    position: relative;
    min-inline-size: 0;
  }
`;
