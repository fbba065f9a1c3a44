import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { adoptStyles } from '../../platform/adopt-styles.ts';
import { cssZoom } from '../../platform/css-zoom.ts';
import { doneIcon, icon } from '../../theme/icons.ts';
import { openIcon } from '../../theme/item-icons.ts';
import { foldText } from '../fold-text.ts';
import { LayoutWatch } from '../layout-watch.ts';
import { freeHeight, placePopover, transcriptBoundary } from '../place-popover.ts';
import { writeField } from '../write-field.ts';
import { comboboxStyles } from './combobox.styles.ts';
import { type ComboboxOptions, matchSuggestions, type Suggestion } from './suggestions.ts';

/** Number of suggestions rendered at first, and added at the end of the list. */
const pageSize = 60;
/** Height of the list, in pixels. */
const maxHeight = 280;
/** Number of suggestions that PageUp and PageDown skip. */
const keyStep = 8;

/**
 * The list of suggestions of the field before it. The field keeps the focus and stays the place to type; a chosen
 * suggestion is written into it, as if typed. Where the arrow keys already change the field (numbers, times), the
 * button opens the list and takes the focus, and the list handles the keys.
 *
 * It renders into the root of the field, because `aria-activedescendant` reaches no further.
 *
 * @summary A list of suggestions below a field.
 * @element agent-chat-combobox
 * @source ARIA Authoring Practices Guide, "Editable Combobox With List Autocomplete"
 */
export class ComboboxElement extends LitElement {
  @property({ attribute: false }) options!: ComboboxOptions;
  @state() private isOpen = false;
  /** Text that the suggestions match; `''` until the visitor types. */
  @state() private typed = '';
  /** Index of the active suggestion among the matches; -1 if none is. */
  @state() private active = -1;
  /** Number of suggestions that are rendered. */
  @state() private shownCount = pageSize;
  @query('button') private button!: HTMLButtonElement;
  @query('.suggestions') private list!: HTMLElement;
  #matches: readonly Suggestion[] = [];
  #announced = '';
  #listeners = new AbortController();
  readonly #layout = new LayoutWatch(({ target }) => {
    if (target !== this.list) this.#place();
  });
  /** True while a suggestion is written, which is not typing. */
  #isWriting = false;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, comboboxStyles.styleSheet);
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    this.#box?.addEventListener('focusout', this.#onLeave, { signal });
    this.#field?.addEventListener('input', this.#onInput, { signal });
    this.#field?.addEventListener('change', this.#onChange, { signal });
    if (!this.#isCombobox) return;
    this.#field?.addEventListener('keydown', this.#onKey, { signal });
    this.#field?.addEventListener('click', this.#onClick, { signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#listeners.abort();
    this.isOpen = false;
    this.#stopWatching();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.isOpen) this.typed = '';
    if (changed.has('options') || changed.has('typed'))
      this.#matches = matchSuggestions(this.options.suggestions, this.typed);
    if (this.active >= this.#matches.length) this.active = -1;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.isConnected) return;
    this.list.togglePopover(this.isOpen);
    this.#describe();
    if (!this.isOpen) return this.#stopWatching();
    this.#startWatching();
    this.#place();
    if (changed.has('active') || changed.has('isOpen'))
      this.list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  override render(): unknown {
    const { id, name, words, isDisabled } = this.options;
    return html`<button
        type="button"
        class="icon-button small"
        tabindex=${this.#isCombobox ? -1 : nothing}
        aria-label="${name}: ${words.t('form.choose')}"
        aria-haspopup="listbox"
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        ?disabled=${isDisabled}
        @mousedown=${keepFocus}
        @click=${this.#toggle}
      >
        ${icon(openIcon)}
      </button>
      <div
        class="suggestions popover scrolls"
        popover="manual"
        id="${id}-list"
        role="listbox"
        tabindex="-1"
        aria-label=${name}
        aria-activedescendant=${this.#isCombobox ? nothing : (this.#activeId ?? nothing)}
        @mousedown=${keepFocus}
        @click=${this.#onPick}
        @keydown=${this.#onKey}
        @scroll=${this.#onScroll}
      >
        ${this.isOpen ? this.renderMatches() : nothing}
      </div>`;
  }

  private renderMatches(): unknown {
    const { id, words } = this.options;
    const count = this.#matches.length;
    if (!count)
      return html`<div class="suggestion" role="option" aria-disabled="true" aria-selected="false">
        ${words.t('option.matches', { count })}
      </div>`;
    const chosen = this.#field?.value;
    return this.#matches
      .slice(0, this.shownCount)
      .map(
        (suggestion, index) =>
          html`<div
            class="suggestion"
            id="${id}-option-${index}"
            role="option"
            aria-selected=${index === this.active ? 'true' : 'false'}
            aria-disabled=${suggestion.disabled ? 'true' : nothing}
            aria-setsize=${count}
            aria-posinset=${index + 1}
          >
            <span dir="auto"
              >${suggestion.label}${suggestion.description ? html`<small>${suggestion.description}</small>` : nothing}</span
            >${suggestion.label === chosen ? icon(doneIcon) : nothing}
          </div>`,
      );
  }

  get #box(): HTMLElement | null {
    return this.parentElement;
  }

  get #field(): HTMLInputElement | undefined {
    return this.#box?.querySelector<HTMLInputElement>(':scope > input') ?? undefined;
  }

  /** Whether the field itself opens the list. */
  get #isCombobox(): boolean {
    return this.#field?.type === 'text';
  }

  get #activeId(): string | undefined {
    return this.isOpen && this.active >= 0 ? `${this.options.id}-option-${this.active}` : undefined;
  }

  /** Sets the ARIA attributes of the field. The form renders the field, and does not know the list. */
  #describe(): void {
    const field = this.#field;
    if (!field || !this.#isCombobox) return;
    field.role = 'combobox';
    field.ariaAutoComplete = 'list';
    field.ariaExpanded = this.isOpen ? 'true' : 'false';
    field.setAttribute('aria-controls', `${this.options.id}-list`);
    if (this.#activeId) field.setAttribute('aria-activedescendant', this.#activeId);
    else field.removeAttribute('aria-activedescendant');
  }

  readonly #onInput = (): void => {
    if (this.#isWriting || !this.#isCombobox) return;
    this.typed = this.#field?.value ?? '';
    this.active = -1;
    this.shownCount = pageSize;
    this.isOpen = true;
    void this.updateComplete.then(() => {
      const { isClosed, words } = this.options;
      const count = this.#matches.length;
      if (!count && !isClosed) this.isOpen = false;
      const text = words.t('option.matches', { count });
      if (text !== this.#announced) this.dispatchEvent(new AnnounceEvent(text, 'matches'));
      this.#announced = text;
      this.list.scrollTop = 0;
    });
  };

  /** Corrects the case and accents of what was typed: `GERMANY` becomes `Germany`. */
  readonly #onChange = (): void => {
    const text = this.#field?.value ?? '';
    if (this.#isWriting || !this.options.isClosed || !text) return;
    const { suggestions } = this.options;
    if (suggestions.some(({ label }) => label === text)) return;
    const meant = suggestions.find(({ label }) => foldText(label) === foldText(text).trim());
    if (meant) this.#write(meant.label);
  };

  readonly #onClick = (): void => {
    if (!this.isOpen && !this.options.isDisabled) this.#open();
  };

  readonly #onLeave = (event: FocusEvent): void => {
    const to = event.relatedTarget;
    if (!(to instanceof Node && this.#box?.contains(to))) this.isOpen = false;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    // 229: the key belongs to an input method
    if (event.keyCode === 229 || event.ctrlKey || event.metaKey || this.options.isDisabled) return;
    const isHandled = this.isOpen ? this.#onOpenKey(event) : this.#onClosedKey(event);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #onClosedKey({ key, altKey }: KeyboardEvent): boolean {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
    this.#open();
    if (this.active < 0 && !altKey) this.#move(key === 'ArrowDown' ? 0 : this.#matches.length - 1);
    return true;
  }

  #onOpenKey({ key, altKey }: KeyboardEvent): boolean {
    const last = this.#matches.length - 1;
    const at = this.active;
    switch (key) {
      case 'ArrowDown':
        this.#move(at === last ? 0 : at + 1);
        return true;
      case 'ArrowUp':
        if (altKey) this.#close();
        else this.#move(at <= 0 ? last : at - 1);
        return true;
      case 'PageDown':
        this.#move(Math.min(at + keyStep, last));
        return true;
      case 'PageUp':
        this.#move(Math.max(at - keyStep, 0));
        return true;
      case 'Home':
      case 'End':
        if (!this.#isCombobox) this.#move(key === 'Home' ? 0 : last);
        else this.active = -1; // the caret moves
        return !this.#isCombobox;
      case 'ArrowLeft':
      case 'ArrowRight':
        this.active = -1;
        return false;
      case 'Enter':
        this.#confirm();
        return true;
      case 'Tab':
        if (at >= 0) this.#confirm();
        else this.#close();
        return false;
      case 'Escape':
        this.#close();
        return true;
      default:
        return false;
    }
  }

  /** Chooses the active suggestion, or the only one that a closed field can mean. */
  #confirm(): void {
    const only = this.options.isClosed && this.#matches.length === 1 ? 0 : -1;
    const suggestion = this.#matches[this.active >= 0 ? this.active : only];
    if (suggestion) this.#choose(suggestion);
    else this.#close();
  }

  #toggle(): void {
    if (this.isOpen) return this.#close();
    this.#open();
    // on a touch screen, the focus would raise the keyboard over the list
    if (this.#isCombobox && !matchMedia('(pointer: coarse)').matches) this.#field?.focus();
    else if (!this.#isCombobox) void this.updateComplete.then(() => this.list.focus());
  }

  /** Opens the list with all suggestions, at the field's own. */
  #open(): void {
    const { suggestions } = this.options;
    const value = this.#field?.value ?? '';
    this.typed = this.#announced = '';
    this.#matches = suggestions;
    this.isOpen = true;
    this.shownCount = pageSize;
    this.#move(value ? suggestions.findIndex(({ label }) => label === value) : -1);
  }

  #close(): void {
    const hadFocus = this.list.matches(':focus');
    this.isOpen = false;
    if (hadFocus) this.button.focus();
  }

  /** Makes a suggestion the active one; none for -1. */
  #move(index: number): void {
    this.active = index;
    this.shownCount = Math.max(this.shownCount, Math.ceil((index + 1) / pageSize) * pageSize);
  }

  #onPick(event: Event): void {
    // the listener is on an element
    const option = (event.target as Element).closest('[role=option]');
    const index = [...this.list.querySelectorAll('[role=option]')].findIndex((other) => other === option);
    const suggestion = this.#matches[index];
    if (suggestion) this.#choose(suggestion);
  }

  #choose({ label, disabled }: Suggestion): void {
    if (disabled) return;
    this.#close();
    this.#write(label);
  }

  #write(value: string): void {
    this.#isWriting = true;
    if (this.#field) writeField(this.#field, value);
    this.#isWriting = false;
  }

  #onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < maxHeight;
    if (isAtEnd && this.shownCount < this.#matches.length) this.shownCount += pageSize;
  }

  #startWatching(): void {
    this.#layout.start();
    addEventListener('pointerdown', this.#onPointer, true);
  }

  #stopWatching(): void {
    this.#layout.stop();
    removeEventListener('pointerdown', this.#onPointer, true);
  }

  /** A finger on the button leaves the focus where it was: then leaving it does not close the list. */
  readonly #onPointer = (event: Event): void => {
    if (this.#box && !event.composedPath().includes(this.#box)) this.isOpen = false;
  };

  /** Puts the list beside the field; closes it when the field has been scrolled out of view. */
  #place(): void {
    const field = this.#field;
    if (!field) return;
    const boundary = transcriptBoundary(field);
    const { top, bottom, width } = field.getBoundingClientRect();
    if (bottom < boundary.top || top > boundary.bottom) return this.#close();
    const zoom = cssZoom(this.list);
    this.list.style.width = `${Math.max(width / zoom, 160)}px`;
    this.list.style.maxHeight = `${Math.min(maxHeight, freeHeight(field, boundary) / zoom)}px`;
    placePopover(this.list, field, { boundary });
  }
}

/** Keeps the focus in the field. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-combobox': ComboboxElement;
  }
}
