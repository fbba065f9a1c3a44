import { css } from 'lit';
import { dateBoxStyles } from '../calendar/render-calendar.ts';
import { comboboxBoxStyles } from '../combobox/render-combobox.ts';
import { checkboxStyles } from '../../theme/checkbox.styles.ts';
import { listStyles } from './list.styles.ts';

const fieldStyles = css`
  form {
    display: grid;
    gap: 14px;
  }

  form > *,
  .value {
    min-inline-size: 0;
  }

  .form-field,
  .group,
  .variants {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .variants {
    gap: 14px;
  }

  /* margins, not a gap: in WebKit, a legend is no grid item, even if it floats */
  .group > * + * {
    margin-block-start: 12px;
  }

  .group {
    gap: 0;
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_line);
  }

  legend {
    padding: 0;
  }

  .group > legend {
    float: inline-start;
    inline-size: 100%;
    margin-block-end: 0;
  }

  /* a field's texts start at the field's edge, whatever their language */
  .label,
  .tick > *,
  .help,
  .fault {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .label {
    font-size: var(--_size-small);
    font-weight: 550;
    line-height: 1.4;
  }

  /* ranks above the labels of its fields */
  .group > .label {
    font-size: 1em;
    font-weight: 650;
  }

  fieldset.form-field > .label {
    margin-block-end: 4px;
  }

  .required {
    margin-inline-start: 2px;
    color: var(--_bad);
  }

  .help {
    margin: 0;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  .help,
  .fault {
    line-height: 1.4;
  }

  .help > span {
    white-space: pre-line;
  }

  .form-field[data-fault] > .choices {
    padding-inline-start: 10px;
    border-inline-start: 2px solid var(--_bad);
  }

  /* keeps the label in view when a control is scrolled into view */
  .field {
    scroll-margin-block-start: 12px;
  }

  .field[readonly] {
    border-color: var(--_line);
    background: none;
    color: var(--_muted);
  }

  textarea.field {
    min-block-size: 66px;
    resize: vertical;
  }

  /* right to left, what is written from left to right starts at its label, too; arrows would be between */
  :host(:dir(rtl)) .field:is(.number, .tel, .email, .url, .time, .datetime-local) {
    appearance: textfield;
    direction: ltr;
    text-align: right;
  }

  :host(:dir(rtl)) .field:is(.time, .datetime-local)::-webkit-calendar-picker-indicator {
    order: -1;
    margin: 0;
  }

  :host(:dir(rtl)) .field.number::-webkit-inner-spin-button {
    display: none;
  }

  .field.color {
    inline-size: 64px;
    padding: 3px;
  }

  .field.file {
    padding: max(5px, (var(--_target) - 30px) / 2) 5px;
    font-size: var(--_size-small);
    color: var(--_muted);
  }

  .field.file::file-selector-button {
    margin-inline-end: 10px;
    padding: 4px 10px;
    border: 1px solid var(--_line-field);
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_raised);
    color: var(--_text);
    font: inherit;
    font-weight: 550;
    cursor: pointer;
  }

  .tick {
    display: flex;
    align-items: flex-start;
    gap: 9px;
    min-block-size: var(--_target);
    padding-block: max(0px, (var(--_target) - 1.45em) / 2);
    font-weight: 400;
    line-height: 1.45;
    cursor: pointer;
  }

  .tick small {
    display: block;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  /* centred on the first line */
  .tick > input {
    margin-block-start: calc((1.45em - 18px) / 2);
  }

  .choices {
    display: grid;
    gap: 6px;
  }

  .choices.inline {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 16px;
  }

  @media (pointer: coarse) {
    .choices {
      row-gap: 0;
    }

    fieldset.form-field > .label {
      margin-block-end: 0;
    }
  }

  .range {
    display: flex;
    align-items: center;
    gap: 10px;
  }

  .range input {
    flex: 1;
    min-inline-size: 0;
    min-block-size: var(--_target);
    accent-color: var(--_accent-text);
  }

  .range .reading {
    min-inline-size: 3ch;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  .date-range {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(10.9em, 100%), 1fr));
    gap: 8px;
  }

  .range-end {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 3px;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  .multiselect > summary.field {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    color: var(--_text);
    font-size: var(--_size-input);
  }

  .multiselect > summary span {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .multiselect[open] > summary svg:not(:dir(rtl)),
  .multiselect[open] > summary svg:dir(rtl) {
    rotate: 180deg;
  }

  .multiselect .options {
    max-block-size: 220px;
    margin-block-start: 4px;
    padding: 8px 11px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  .outcome {
    display: flex;
    align-items: center;
    gap: 6px;
    margin: 0;
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  .outcome svg {
    inline-size: 15px;
    block-size: 15px;
  }

  .outcome.done svg {
    color: var(--_good);
  }

  .summary {
    margin: 0;
    color: var(--_bad);
    font-size: var(--_size-small);
  }
`;

/** Styles of forms: one column, labels above, errors below their field. */
export const formStyles = [checkboxStyles, dateBoxStyles, comboboxBoxStyles, fieldStyles, listStyles];
