import { html, nothing } from 'lit';
import { query } from 'lit/decorators.js';
import { defineElement } from '../platform/define-element.ts';
import { fieldStyles } from '../theme/field.styles.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ChoiceListElement } from './choice-list.ts';
import { textAnswer } from '../../session/answer-message.ts';
import { ContentElement } from './content-element.ts';
import { renderItemHeading } from './content-templates.ts';
import { doneIcon, icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { readChoices, type Choice } from './read-choices.ts';
import { text, type Fields } from './read-item.ts';
import { optionStyles } from './option.styles.ts';

/** Maximum number of buttons; more choices become a select, unless the agent asks for buttons. */
const maxButtons = 12;
/** Maximum number of choices in a select; more get a search field. */
const maxSelectOptions = 50;
/** Maximum number of buttons if the agent asks for buttons. */
const maxRequestedButtons = 200;

/**
 * A question with choices, as buttons or as a list. Can be answered once; then the choice is marked, and a list shows
 * only the choice.
 *
 * @summary One question with choices.
 * @element agent-chat-option
 * @fires {ItemAnswerEvent} agent-chat-item-answer - The visitor chose an answer.
 * @csspart option-list - The group of buttons.
 * @csspart option - One button.
 * @csspart item-button - The button that confirms the choice from a list.
 * @csspart option-select - The list, if there are many; the search field, if there are more than 50.
 */
export class OptionElement extends ContentElement {
  static override styles = [sharedStyles, fieldStyles, contentStyles, optionStyles];

  #read: { readonly options: unknown; readonly choices: readonly Choice[] } | undefined;
  @query('select') private select!: HTMLSelectElement | null;

  protected override renderContent(fields: Fields): unknown {
    const choices = this.#choicesOf(fields['options']);
    const title = text(fields['title']);
    const asList =
      fields['preference'] === 'dropdown' ||
      choices.length > (fields['preference'] === 'button' ? maxRequestedButtons : maxButtons);
    return html`
      ${renderItemHeading(fields, { id: 'title' })}
      ${asList && !this.context.answer && !this.closed ? this.renderList(choices, title) : this.renderButtons(choices, title, asList)}
      ${this.renderClosedNote()}
    `;
  }

  private renderButtons(choices: readonly Choice[], title: string, asList: boolean): unknown {
    const chosen = this.context.answer ? String(this.context.answer.data) : undefined;
    // an answered list shows only the choice
    const shown = asList ? choices.filter(({ value }) => value === chosen) : choices;
    return html`<div
      class="actions"
      part="option-list"
      role="group"
      aria-labelledby=${title.trim() ? 'title' : nothing}
      aria-label=${title.trim() ? nothing : this.t('option.choose')}
    >
      ${shown.map((choice) => this.renderButton(choice, choice.value === chosen))}
    </div>`;
  }

  private renderButton(choice: Choice, chosen: boolean): unknown {
    const settled = !this.answerable;
    return html`<button
      class="option"
      part="option"
      type="button"
      dir="auto"
      aria-pressed=${chosen ? 'true' : nothing}
      aria-disabled=${settled ? 'true' : nothing}
      @click=${() => this.#choose(choice)}
    >
      ${chosen ? icon(doneIcon) : nothing}${choice.label}
    </button>`;
  }

  private renderList(choices: readonly Choice[], title: string): unknown {
    if (choices.length <= maxSelectOptions) return this.renderSelect(choices, title);
    defineElement('agent-chat-choice-list', ChoiceListElement);
    return html`<agent-chat-choice-list
      exportparts="option-select, option-list, option, item-button"
      .choices=${choices}
      .label=${title.trim() || this.t('option.choose')}
      .words=${this.context.words}
      .active=${this.answerable}
      .onChoose=${(choice: Choice) => this.#choose(choice)}
    ></agent-chat-choice-list>`;
  }

  private renderSelect(choices: readonly Choice[], title: string): unknown {
    return html`<div class="row">
      <select
        class="field"
        part="option-select"
        aria-labelledby=${title.trim() ? 'title' : nothing}
        aria-label=${title.trim() ? nothing : this.t('option.choose')}
      >
        ${choices.map(({ label }, index) => html`<option value=${index}>${label}</option>`)}
      </select>
      <button
        class="button main"
        part="item-button"
        type="button"
        aria-disabled=${this.answerable ? nothing : 'true'}
        @click=${() => this.#chooseSelected(choices)}
      >
        ${this.t('option.confirm')}
      </button>
    </div>`;
  }

  #chooseSelected(choices: readonly Choice[]): void {
    const choice = choices[this.select?.selectedIndex ?? -1];
    if (choice) this.#choose(choice);
  }

  /** Reads the options once per item, not per render. */
  #choicesOf(options: unknown): readonly Choice[] {
    if (this.#read?.options !== options) this.#read = { options, choices: readChoices(options) };
    return this.#read?.choices ?? [];
  }

  #choose({ label, value }: Choice): void {
    if (!this.answerable) return;
    this.sendAnswer({ action: 'choose', data: value }, textAnswer(value, label));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-option': OptionElement;
  }
}
