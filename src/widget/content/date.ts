import { css, html, nothing } from 'lit';
import { query, state } from 'lit/decorators.js';
import { calendarIcon } from '../theme/item-icons.ts';
import { fieldStyles } from '../theme/field.styles.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { textAnswer } from '../../session/answer-message.ts';
import { dateBoxStyles, renderWithCalendar } from './calendar/render-calendar.ts';
import { ContentElement } from './content-element.ts';
import { icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { formatValue } from './format-value.ts';
import { itemFields, firstText, text, type Fields } from './read-item.ts';

/**
 * Asks for a date. The agent gets `2026-01-31`; the visitor sees the date in their own language.
 *
 * @summary A question for a date.
 * @element agent-chat-date
 * @fires {ItemAnswerEvent} agent-chat-item-answer - The visitor submitted a date.
 * @csspart form-control - The date input.
 * @csspart item-button - The submit button.
 * @csspart answer - The date, once submitted.
 */
export class DateElement extends ContentElement {
  static override styles = [
    sharedStyles,
    fieldStyles,
    contentStyles,
    dateBoxStyles,
    css`
      form {
        display: grid;
        gap: 4px;
        max-inline-size: 21.4em;
      }

      label {
        font-size: var(--_size-small);
        font-weight: 550;
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--_space-2);
      }

      .date-box {
        flex: 1 1 10.5em;
      }

      .chosen {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        font-weight: 550;
      }
    `,
  ];

  /** String key of the error; undefined while the input is valid. */
  @state() private error: 'date.missing' | 'form.error.earliest' | 'form.error.latest' | undefined;
  @query('input') private input!: HTMLInputElement;

  protected override renderContent(fields: Fields): unknown {
    const title = firstText(fields['title'], fields['label']);
    const description = text(fields['description'], 2000);
    const label = title || description || this.t('date.label');
    const help = title ? description : '';
    if (this.context.answer) return this.renderChosen(label, help, text(this.context.answer.data));
    return html`<form novalidate @submit=${this.#send}>
      <label for="day" dir="auto">${label}</label>
      ${
        help.trim()
          ? html`<p class="description" part="item-description" id="help" dir="auto">${help}</p>`
          : nothing
      }
      <div class="row">
        ${renderWithCalendar(this.renderInput(fields, help), {
          label,
          words: this.context.words,
          isDisabled: !this.context.active,
        })}
        ${
          this.closed
            ? nothing
            : html`<button
                class="button main"
                part="item-button"
                aria-disabled=${this.context.active ? nothing : 'true'}
              >
                ${this.t('date.send')}
              </button>`
        }
      </div>
      ${this.error ? html`<p class="fault" id="fault">${this.t(this.error, { limit: this.#limit })}</p>` : nothing}
      ${this.renderClosedNote()}
    </form>`;
  }

  private renderInput(fields: Fields, help: string): unknown {
    return html`<input
      id="day"
      class="field"
      part="form-control"
      type="date"
      min=${day(fields['min']) ?? nothing}
      max=${day(fields['max']) ?? nothing}
      ?disabled=${!this.context.active}
      aria-invalid=${this.error ? 'true' : nothing}
      aria-describedby=${[this.error ? 'fault' : '', help.trim() ? 'help' : ''].join(' ').trim() || nothing}
    />`;
  }

  private renderChosen(label: string, help: string, value: string): unknown {
    return html`<dl>
      <div>
        <dt dir="auto">${label}</dt>
        ${help.trim() ? html`<dd class="description" dir="auto">${help}</dd>` : nothing}
        <dd part="answer"><span class="chosen">${icon(calendarIcon)}${this.#spell(value)}</span></dd>
      </div>
    </dl>`;
  }

  #send(event: Event): void {
    event.preventDefault();
    if (!this.answerable) return;
    const { value, validity } = this.input;
    if (validity.rangeUnderflow) this.error = 'form.error.earliest';
    else if (validity.rangeOverflow) this.error = 'form.error.latest';
    else this.error = value ? undefined : 'date.missing';
    if (this.error) this.input.focus();
    else this.sendAnswer({ action: 'choose', data: value }, textAnswer(value, this.#spell(value)));
  }

  /** The first or last allowed date, formatted. */
  get #limit(): string {
    const { min, max } = itemFields(this.item);
    return this.#spell(text(this.error === 'form.error.earliest' ? min : max));
  }

  #spell(value: string): string {
    return formatValue({ widget: 'date', value }, this.context.words.locale) ?? value;
  }
}

function day(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-date': DateElement;
  }
}
