import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import type { Mention } from '../../../protocol/index.ts';
import type { Mentionable } from '../../config/host-options.ts';
import type { Strings } from '../../i18n/strings.ts';

/** Most names shown at once. */
const longest = 8;

/**
 * The list that `@` opens over the composer, and who was named with it. Focus stays in the text: the list follows the
 * pattern of a combobox, with `aria-activedescendant` on the text.
 */
export class MentionsController implements ReactiveController {
  /** Names offered now; empty: no list. */
  offered: readonly Mentionable[] = [];
  active = 0;
  readonly #host: ReactiveControllerHost;
  #named: readonly Mentionable[] = [];
  #start = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.close();
  }

  get isOpen(): boolean {
    return this.offered.length > 0;
  }

  /** `id` of the active name in the list, for `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? `mention-${this.active}` : undefined;
  }

  /** Looks at what stands before the caret. */
  update(input: HTMLTextAreaElement, mentionables: readonly Mentionable[]): void {
    const before = input.value.slice(0, input.selectionStart);
    const [found, query] = /(?:^|\s)@([^\s@]{0,40})$/u.exec(before) ?? [];
    if (found === undefined || query === undefined || mentionables.length === 0) {
      this.close();
      return;
    }
    this.#start = before.length - query.length - 1;
    const wanted = query.toLocaleLowerCase();
    const offered = mentionables
      .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
      .slice(0, longest);
    this.offered = offered;
    this.active = Math.min(this.active, Math.max(0, offered.length - 1));
    this.#host.requestUpdate();
  }

  /** Takes the keys of an open list. Gives whether the key was one of them. */
  onKey(event: KeyboardEvent, input: HTMLTextAreaElement): boolean {
    // Shift+Tab goes back, as everywhere.
    if (!this.isOpen || event.isComposing || event.shiftKey) return false;
    const last = this.offered.length - 1;
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

  /** Focus stays in the text, so the browser does not bring the active name into view by itself. */
  async #showActive(input: HTMLTextAreaElement): Promise<void> {
    await this.#host.updateComplete;
    const list = input.getRootNode() as ShadowRoot | Document; // the text lies in one of them
    list.querySelector('#mentions [aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Writes a name into the text in place of what was typed after `@`. */
  choose(index: number, input: HTMLTextAreaElement): void {
    const chosen = this.offered[index];
    if (!chosen) return;
    input.setRangeText(`@${chosen.name} `, this.#start, input.selectionStart, 'end');
    this.#named = [...this.#named, chosen];
    this.close();
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.offered = [];
    this.active = 0;
    this.#host.requestUpdate();
  }

  /** Who is still named in a text; forgets them afterwards. */
  take(text: string): Mention[] {
    const named = new Set(this.#named.filter(({ name }) => text.includes(`@${name}`)));
    this.#named = [];
    return [...named].map(({ id, name, type }) => ({ id, name, ...(type === undefined ? {} : { type }) }));
  }

  /** The message that names them did not go out. */
  giveBack(named: readonly Mentionable[]): void {
    this.#named = [...named, ...this.#named];
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
      ${this.offered.map(
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
