import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { hexOf, readColour, withHash } from './colour.ts';
import type { Field } from './field.ts';
import { fieldGroups } from './fields.ts';
import { PlaygroundElement } from './playground-element.ts';
import { announce, typingPauseMs } from './announce.ts';

/** A control for every setting; its name in the API stands below. */
export class SettingsForm extends PlaygroundElement {
  /** The field whose error has to be announced, and the last announced one. */
  #changed: { readonly field: Field; announced: string } | undefined;

  protected override updated(): void {
    const changed = this.#changed;
    if (!changed) return;
    const words = this.#remark(changed.field);
    if (words === changed.announced) return;
    changed.announced = words;
    announce(words, typingPauseMs);
  }

  override render(): unknown {
    return html`
      <form class="settings" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
        <div class="pane-head">
          <h2>Settings</h2>
          <button class="button small" type="button" @click=${() => this.settings?.reset()}>Reset</button>
        </div>
        ${fieldGroups.map(
          (group) => html`
            <details class="group" ?open=${!group.folded}>
              <summary>${group.title}</summary>
              <div class="fields">${group.fields.map((field) => this.renderField(field))}</div>
            </details>
          `,
        )}
      </form>
    `;
  }

  private renderField(field: Field): TemplateResult {
    const id = `field-${field.attribute}`;
    const refusal = this.settings?.refusal(field.attribute);
    const words = this.#remark(field) || field.help;
    const below = html`${
        words ? html`<small id="${id}-help" class=${refusal ? 'bad' : nothing}>${words}</small>` : nothing
      } <code class="path">${breakable(field.api ?? field.css ?? field.attribute)}</code>`;
    if (field.control === 'choice') {
      return html`<fieldset class="field" aria-describedby=${words ? `${id}-help` : nothing}>
        <legend>${field.label}</legend>
        ${this.renderChoice(field, id)} ${below}
      </fieldset>`;
    }
    return html`<div class="field ${field.control} ${field.half ? 'half' : ''}">
      <label for=${id}>${field.label}</label>
      ${this.renderControl(field, id)} ${below}
    </div>`;
  }

  private renderChoice(field: Field, id: string): TemplateResult {
    const value = this.settings?.get(field.attribute);
    return html`<div class="choice">
      ${field.options?.map(
        (option) =>
          html`<label>
            <input
              type="radio"
              name=${id}
              value=${option}
              .checked=${live(option === value)}
              @change=${() => this.settings?.set({ [field.attribute]: option })}
            /><span>${field.optionLabels?.[option] ?? option}</span>
          </label>`,
      )}
    </div>`;
  }

  private renderControl(field: Field, id: string): TemplateResult {
    const value = this.settings?.get(field.attribute) ?? '';
    const refusal = this.settings?.refusal(field.attribute);
    const described = field.help || this.#remark(field) ? `${id}-help` : nothing;
    const change = (event: Event) => this.#change(field, event);
    switch (field.control) {
      case 'switch':
        return html`<input
          class="switch"
          id=${id}
          type="checkbox"
          role="switch"
          aria-checked=${value}
          aria-describedby=${described}
          .checked=${live(value === 'true')}
          @change=${change}
        />`;
      case 'select':
        return html`<select
          class="input"
          id=${id}
          aria-describedby=${described}
          .value=${live(value)}
          @change=${change}
        >
          ${field.options?.map(
            (option) =>
              html`<option value=${option} ?selected=${option === value}>
                ${field.optionLabels?.[option] ?? (option || 'not set')}
              </option>`,
          )}
        </select>`;
      case 'colour':
        return html`<div class="colour-input">
          <input
            type="color"
            aria-label="Pick ${field.label.toLowerCase()}"
            .value=${live(hexOf(this.settings?.accepted(field.attribute) ?? ''))}
            @input=${change}
          />
          <input
            class="input"
            id=${id}
            type="text"
            spellcheck="false"
            placeholder=${field.initial}
            aria-invalid=${value !== '' && (Boolean(refusal) || !readColour(withHash(value)))}
            aria-describedby=${described}
            .value=${live(value)}
            @input=${change}
            @change=${() => this.settings?.set({ [field.attribute]: withHash(value) })}
          />
        </div>`;
      case 'choice':
      case 'text':
        return html`<input
          class="input"
          id=${id}
          type="text"
          spellcheck="false"
          placeholder=${field.initial || nothing}
          aria-invalid=${Boolean(refusal)}
          aria-describedby=${described}
          .value=${live(value)}
          @input=${change}
        />`;
    }
  }

  /** The chat's message about a value; empty if it is valid. */
  #remark({ attribute }: Field): string {
    return (this.settings?.refusal(attribute) || this.settings?.note(attribute)) ?? '';
  }

  #change(field: Field, event: Event): void {
    this.#changed = { field, announced: this.#changed?.field === field ? this.#changed.announced : '' };
    const input = event.target;
    if (input instanceof HTMLInputElement && input.type === 'checkbox') {
      this.settings?.set({ [field.attribute]: String(input.checked) });
    } else if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) {
      this.settings?.set({ [field.attribute]: input.value });
    }
  }
}

/** A name of the API that may break after its dots. */
function breakable(path: string): unknown {
  return path.split('.').map((part, at) => (at === 0 ? part : html`.<wbr />${part}`));
}

SettingsForm.register('playground-settings');
