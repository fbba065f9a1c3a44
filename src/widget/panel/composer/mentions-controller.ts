import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import type { ConversationMessage } from '../../../conversation/conversation.ts';
import type { Mention } from '../../../protocol/index.ts';
import type { Mentionable } from '../../config/host-options.ts';
import { foldText } from '../../content/fold-text.ts';
import type { Strings } from '../../i18n/strings.ts';

/** Maximum number of suggestions. */
const maxSuggestions = 8;

/**
 * The suggestions that open on `@`, and the people mentioned in the draft. Follows the combobox pattern: focus stays in
 * the text field, which has `aria-activedescendant`.
 */
export class MentionsController implements ReactiveController {
  /** Current suggestions; empty while the list is closed. */
  suggestions: readonly Mentionable[] = [];
  active = 0;
  readonly #host: ReactiveControllerHost;
  #mentioned: readonly Mentionable[] = [];
  #start = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.close();
  }

  get isOpen(): boolean {
    return this.suggestions.length > 0;
  }

  /** `id` of the active suggestion, for `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? `mention-${this.active}` : undefined;
  }

  /** Updates the suggestions from the text before the caret. */
  update(input: HTMLTextAreaElement, mentionables: readonly Mentionable[]): void {
    const before = input.value.slice(0, input.selectionStart);
    const [found, query] = /(?:^|[^\w.+-])[@＠]([^\s@＠]{0,40})$/.exec(before) ?? [];
    if (found === undefined || query === undefined || mentionables.length === 0) {
      this.close();
      return;
    }
    this.#start = before.length - query.length - 1;
    const prefix = foldText(query);
    const offered = mentionables
      .filter(({ name }) => foldText(name).includes(prefix))
      .slice(0, maxSuggestions);
    this.suggestions = offered;
    this.active = Math.min(this.active, Math.max(0, offered.length - 1));
    this.#host.requestUpdate();
  }

  /**
   * Handles the keys of an open list.
   * @returns whether the key was handled
   */
  onKey(event: KeyboardEvent, input: HTMLTextAreaElement): boolean {
    // Shift+Tab keeps its usual meaning; 229: the key belongs to an input method
    if (!this.isOpen || event.keyCode === 229 || event.shiftKey) return false;
    const last = this.suggestions.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        this.active = this.active === last ? 0 : this.active + 1;
        break;
      case 'ArrowUp':
        this.active = this.active === 0 ? last : this.active - 1;
        break;
      case 'Enter':
      case 'Tab':
        this.choose(this.active, input);
        break;
      case 'Escape':
        this.close();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#host.requestUpdate();
    void this.#showActive(input);
    return true;
  }

  /** Scrolls the active suggestion into view; the browser does not, because focus stays in the text field. */
  async #showActive(input: HTMLTextAreaElement): Promise<void> {
    await this.#host.updateComplete;
    // the text field is in a shadow root or a document
    const list = input.getRootNode() as ShadowRoot | Document;
    list.querySelector('#mentions [aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Replaces what was typed after `@` with a name. */
  choose(index: number, input: HTMLTextAreaElement): void {
    const chosen = this.suggestions[index];
    if (!chosen) return;
    input.setRangeText(`@${chosen.name} `, this.#start, input.selectionStart, 'end');
    this.#mentioned = [...this.#mentioned, chosen];
    this.close();
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.suggestions = [];
    this.active = 0;
    this.#host.requestUpdate();
  }

  /** Returns the people that a text mentions. The others stay: their text may be another conversation's draft. */
  take(text: string): Mention[] {
    const names = new Set<string>();
    let rest = text;
    // the longest first: “@Ada Lovelace” does not mention “Ada”
    for (const { name } of this.#mentioned.toSorted((one, other) => other.name.length - one.name.length)) {
      if (!rest.includes(`@${name}`)) continue;
      names.add(name);
      rest = rest.replaceAll(`@${name}`, ' ');
    }
    const named = new Set(this.#mentioned.filter(({ name }) => names.has(name)));
    this.#mentioned = this.#mentioned.filter((one) => !named.has(one));
    return [...named].map(({ id, name, type }) => ({ id, name, ...(type === undefined ? {} : { type }) }));
  }

  /** Restores the mentions of messages that left this composer and were not sent. */
  restore(messages: readonly Pick<ConversationMessage, 'mentions'>[]): void {
    const restored = messages
      .flatMap(({ mentions }) => mentions)
      .flatMap(({ id, name, type }) => (id && name ? [{ id, name, type: type ?? undefined }] : []));
    this.#mentioned = [...restored, ...this.#mentioned];
  }

  render(words: Strings, input: () => HTMLTextAreaElement): unknown {
    if (!this.isOpen) return nothing;
    return html`<ul
      class="mentions scrolls"
      id="mentions"
      part="mentions"
      role="listbox"
      aria-label=${words.t('mention.list')}
    >
      ${this.suggestions.map(
        (mentionable, index) =>
          html`<li
            id="mention-${index}"
            role="option"
            aria-selected=${index === this.active ? 'true' : 'false'}
            @pointerdown=${(event: Event) => {
              event.preventDefault();
              this.choose(index, input());
            }}
          >
            <span dir="auto">${mentionable.name}</span>
            ${mentionable.description ? html`<small dir="auto">${mentionable.description}</small>` : nothing}
          </li>`,
      )}
    </ul>`;
  }
}
