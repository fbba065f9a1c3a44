import { css, html, nothing } from 'lit';
import { defineElement } from '../../platform/define-element.ts';
import type { ComboboxOptions } from './suggestions.ts';

let hasFailed = false;

/** Value of a field's `list` attribute: the browser's own list is used where ours cannot be. */
export function dataListId(id: string): string | typeof nothing {
  return isOurs() ? nothing : `${id}-list`;
}

/**
 * Renders a field with a list of suggestions of our own.
 * @param input the field; has `dataListId` as its `list`
 */
export function renderCombobox(input: unknown, options: ComboboxOptions): unknown {
  const { id, suggestions } = options;
  if (isOurs()) void loadCombobox();
  return html`<div class="combobox">
    ${input}${
      isOurs()
        ? html`<agent-chat-combobox .options=${options}></agent-chat-combobox>`
        : html`<datalist id="${id}-list">
            ${suggestions.map(({ label }) => html`<option value=${label}></option>`)}
          </datalist>`
    }
  </div>`;
}

function isOurs(): boolean {
  return 'popover' in HTMLElement.prototype && !hasFailed;
}

async function loadCombobox(): Promise<void> {
  if (customElements.get('agent-chat-combobox')) return;
  const module = await import('./combobox.ts').catch(() => undefined);
  if (module) defineElement('agent-chat-combobox', module.ComboboxElement);
  else hasFailed = true; // seen with the form's next update
}

/** Styles of a field with a list of suggestions, before the list has loaded. */
export const comboboxBoxStyles = css`
  .combobox {
    position: relative;
    min-inline-size: 0;
  }
`;
