import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { hexOf, readColour } from './colour.ts';
import { brands, fieldGroups, type Brand, type Field } from './fields.ts';
import { PlaygroundElement } from './playground-element.ts';
import { say, whileWriting } from './say.ts';

/** A control for every setting, labelled with its name in the API. */
export class SettingsForm extends PlaygroundElement {
  /** The field whose error has to be announced, and the last announced one. */
  #changed: { readonly field: Field; told: string } | undefined;

  protected override updated(): void {
    const changed = this.#changed;
    if (!changed) return;
    const words = this.#remark(changed.field);
    if (words === changed.told) return;
    changed.told = words;
    say(words, whileWriting);
  }

  override render(): unknown {
    return html`
      <form class="settings" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
        <div class="pane-head">
          <h2>Settings</h2>
          <button class="button small" type="button" @click=${() => this.settings?.reset()}>Reset</button>
        </div>
        <div class="brands" role="group" aria-label="Start from a brand">
          ${brands.map((brand) => this.renderBrand(brand))}
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

  private renderBrand(brand: Brand): TemplateResult {
    const colours = [brand.primary, brand.second, brand.accent];
    const chosen = ['primary-color', 'second-color', 'accent-color'].every(
      (attribute, at) => this.settings?.get(attribute) === colours[at],
    );
    return html`
      <button
        class="brand"
        type="button"
        aria-pressed=${chosen}
        @click=${() =>
          this.settings?.set({
            'primary-color': brand.primary,
            'second-color': brand.second,
            'accent-color': brand.accent,
          })}
      >
        <svg viewBox="0 0 32 12" aria-hidden="true">${colours.map((colour, at) => brandDot(colour, at))}</svg>
        ${brand.name}
      </button>
    `;
  }

  private renderField(field: Field): TemplateResult {
    const id = `field-${field.attribute}`;
    const name = field.api ?? field.attribute;
    const isGroup = field.control === 'choice';
    const label = html`<span class="label">${field.label}</span>
      <code>${name.split('.').map((part, at) => (at === 0 ? part : html`.<wbr />${part}`))}</code>`;
    const refusal = this.settings?.refusal(field.attribute);
    const words = this.#remark(field) || field.help;
    const help = words
      ? html`<small id="${id}-help" class=${refusal ? 'bad' : nothing}>${words}</small>`
      : nothing;
    if (isGroup) {
      return html`<fieldset class="field" aria-describedby=${words ? `${id}-help` : nothing}>
        <legend>${label}</legend>
        ${this.renderChoice(field, id)} ${help}
      </fieldset>`;
    }
    return html`<div class="field ${field.control} ${field.half ? 'half' : ''}">
      <label for=${id}>${label}</label>
      ${this.renderControl(field, id)} ${help}
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
            /><span>${option}</span>
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
              html`<option value=${option} ?selected=${option === value}>${option || 'not set'}</option>`,
          )}
        </select>`;
      case 'colour':
        return html`<div class="colour-input">
          <input
            type="color"
            aria-label="Pick ${field.label.toLowerCase()}"
            .value=${live(hexOf(this.settings?.accepted(field.attribute) ?? value))}
            @input=${change}
          />
          <input
            class="input"
            id=${id}
            type="text"
            spellcheck="false"
            aria-invalid=${value !== '' && (Boolean(refusal) || !readColour(value))}
            aria-describedby=${described}
            .value=${live(value)}
            @input=${change}
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
    this.#changed = { field, told: this.#changed?.field === field ? this.#changed.told : '' };
    const input = event.target;
    if (input instanceof HTMLInputElement && input.type === 'checkbox') {
      this.settings?.set({ [field.attribute]: String(input.checked) });
    } else if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) {
      this.settings?.set({ [field.attribute]: input.value });
    }
  }
}

function brandDot(colour: string, at: number): SVGTemplateResult {
  return svg`<circle cx=${6 + at * 10} cy="6" r="5.5" fill=${colour} />`;
}

SettingsForm.register('playground-settings');
