import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { AnnounceEvent } from '../events/panel-events.ts';
import type { Strings } from '../i18n/strings.ts';
import { doneIcon, icon } from '../theme/icons.ts';
import { fieldStyles } from '../theme/field.styles.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { foldText } from './fold-text.ts';
import type { Choice } from './read-choices.ts';
import { choiceListStyles } from './choice-list.styles.ts';

/** Number of matches rendered at first, and added by "Show more". */
const page = 50;

/**
 * A long list of choices with a search field: a combobox whose listbox is always open. Renders 50 matches at a
 * time, so that thousands of choices stay fast.
 *
 * @summary Search and choose one of many.
 * @element agent-chat-choice-list
 * @csspart option-select - The search field.
 * @csspart option-list - The list of matches.
 * @csspart option - One choice.
 * @csspart item-button - Confirms the choice.
 */
export class ChoiceListElement extends LitElement {
  static override styles = [sharedStyles, fieldStyles, choiceListStyles];

  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** The question; labels the search field and the list. */
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) words!: Strings;
  /** Whether a choice can be confirmed now. */
  @property({ attribute: false }) active = true;
  /** Called with the confirmed choice. */
  @property({ attribute: false }) onChoose: ((choice: Choice) => void) | undefined;
  @state() private search = '';
  @state() private most = page;
  @state() private chosen: Choice | undefined;
  @query('input') private input!: HTMLInputElement;
  #folded: readonly string[] = [];
  #matches: readonly Choice[] = [];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('choices')) this.#folded = this.choices.map(({ label }) => foldText(label));
    if (!changed.has('choices') && !changed.has('search')) return;
    const words = foldText(this.search).split(/\s+/).filter(Boolean);
    this.#matches = this.choices.filter((_, index) =>
      words.every((word) => this.#folded[index]?.includes(word)),
    );
    if (this.chosen && !this.#matches.includes(this.chosen)) this.chosen = undefined;
  }

  override render(): unknown {
    const shown = this.#matches.slice(0, this.most);
    const at = this.chosen ? shown.indexOf(this.chosen) : -1;
    const more = Math.min(this.#matches.length - shown.length, page);
    return html`<input
        class="field"
        part="option-select"
        type="text"
        role="combobox"
        aria-label="${this.label}: ${this.words.t('option.search')}"
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls="list"
        aria-activedescendant=${at < 0 ? nothing : `choice-${at}`}
        autocomplete="off"
        placeholder=${this.words.t('option.search')}
        .value=${this.search}
        @input=${this.#onInput}
        @keydown=${this.#onKey}
      />
      <div class="list scrolls" id="list" part="option-list" role="listbox" aria-label=${this.label}>
        ${repeat(
          shown,
          (choice) => choice,
          (choice, index) => this.renderChoice(choice, index, index === at),
        )}
      </div>
      <div class="foot">
        <p class="count">${this.#count}</p>
        ${
          more > 0
            ? html`<button class="button" type="button" @click=${this.#showMore}>
                ${this.words.t('content.more', { count: more })}
              </button>`
            : nothing
        }
        <button
          class="button main"
          part="item-button"
          type="button"
          aria-disabled=${this.active ? nothing : 'true'}
          @click=${this.#confirm}
        >
          ${this.words.t('option.confirm')}
        </button>
      </div>`;
  }

  private renderChoice(choice: Choice, index: number, selected: boolean): unknown {
    return html`<button
      id="choice-${index}"
      class="choice"
      part="option"
      type="button"
      role="option"
      tabindex="-1"
      dir="auto"
      aria-selected=${selected ? 'true' : 'false'}
      aria-setsize=${this.#matches.length}
      aria-posinset=${index + 1}
      @mousedown=${keepFocus}
      @click=${() => this.#select(choice)}
    >
      <span>${choice.label}</span>${selected ? icon(doneIcon) : nothing}
    </button>`;
  }

  get #count(): string {
    return this.words.t('option.matches', { count: this.#matches.length });
  }

  #onInput(): void {
    this.search = this.input.value;
    this.most = page;
    this.renderRoot.querySelector('.list')?.scrollTo({ top: 0 });
    void this.updateComplete.then(() => this.dispatchEvent(new AnnounceEvent(this.#count, 'matches')));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.keyCode === 229) return; // the key belongs to an input method
    const at = this.chosen ? this.#matches.indexOf(this.chosen) : -1;
    const last = this.#matches.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? last : at - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.#select(this.#matches[Math.max(0, Math.min(next, last))]);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#confirm();
    } else if (event.key === 'Escape' && this.search) {
      // Escape clears the search and does not close the panel
      event.preventDefault();
      event.stopPropagation();
      this.search = '';
    }
  }

  #select(choice: Choice | undefined): void {
    if (!choice) return;
    this.chosen = choice;
    const at = this.#matches.indexOf(choice);
    this.most = Math.max(this.most, Math.ceil((at + 1) / page) * page);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector(`#choice-${at}`)?.scrollIntoView({ block: 'nearest' }),
    );
  }

  #showMore(): void {
    this.most += page;
    this.input.focus();
  }

  /** Confirms the selected choice, or the only match. */
  #confirm(): void {
    const choice = this.chosen ?? (this.#matches.length === 1 ? this.#matches[0] : undefined);
    if (!choice) return this.input.focus();
    if (this.active) this.onChoose?.(choice);
  }
}

/** Keeps focus in the search field when a choice is clicked, so that the arrow keys keep working. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-choice-list': ChoiceListElement;
  }
}
