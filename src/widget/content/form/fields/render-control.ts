import { nothing } from 'lit';
import type { FormControls } from '../form-controls.ts';
import type { ValueField } from '../form-model.ts';
import { renderChoices, renderCheckbox } from './render-choices.ts';
import { renderDisplay } from './render-display.ts';
import { renderFile } from './render-file.ts';
import { renderDateRange } from './render-date-range.ts';
import { renderInput, renderRange, renderTextarea } from './render-input.ts';

/** Renders a control without label and notes, named by `label`; for table cells and list entries. */
export function renderControl(field: ValueField, controls: FormControls, label?: string): unknown {
  switch (field.widget) {
    case 'hidden':
      return nothing;
    case 'checkbox':
      return renderCheckbox(field, controls, label);
    case 'radio':
    case 'select':
    case 'combobox':
    case 'checkboxes':
    case 'multiselect':
      return renderChoices(field, controls, label);
    case 'textarea':
      return renderTextarea(field, controls, label);
    case 'range':
      return renderRange(field, controls, label);
    case 'file':
      return renderFile(field, controls, label);
    case 'data':
    case 'table':
    case 'editable-table':
    case 'bullet-list':
    case 'file-download':
      return renderDisplay(field, controls);
    case 'date':
      return field.hints.range ? renderDateRange(field, controls) : renderInput(field, controls, label);
    case 'text':
    case 'email':
    case 'password':
    case 'uri':
    case 'tel':
    case 'color':
    case 'number':
    case 'time':
    case 'date-time':
      return renderInput(field, controls, label);
  }
}
