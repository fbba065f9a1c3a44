import { html, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ListedThread } from '../../../protocol/index.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { ThreadsEvent, type ThreadSource } from '../../events/threads-event.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import { defineElement } from '../../platform/define-element.ts';
import { matchMediaSafe } from '../../platform/media-queries.ts';
import { closeIcon, icon, newChatIcon, threadsIcon } from '../../theme/icons.ts';
import { fieldStyles } from '../../theme/field.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { threadListStyles } from './thread-list.styles.ts';
import { renderThread, type RowMode } from './render-thread.ts';
import { trapFocus } from '../../platform/trap-focus.ts';

const searchIcon = 'M11 4a7 7 0 110 14 7 7 0 010-14zM16.2 16.2L20 20';

/** Delay after a key until the search begins, in ms. */
const typingDelayMs = 200;
const longestQuery = 200;

/** Registers the element. */
export function define(): void {
  defineElement('agent-chat-thread-list', ThreadListElement);
}

/**
 * A dialog over the panel with the visitor's conversations: open, search, rename, delete. Takes focus when it opens and
 * keeps it inside; the opener restores focus.
 *
 * @element agent-chat-thread-list
 * @fires agent-chat-threads - Asks for the source of the list
 * @fires agent-chat-request - The visitor starts a new chat
 * @fires close - The visitor opened a conversation, or pressed Escape or the Close button
 */
export class ThreadListElement extends ExtraStringsElement {
  static override styles = [sharedStyles, fieldStyles, threadListStyles];

  @property({ attribute: false }) visitor = '';
  @state() private threads: readonly ListedThread[] = [];
  @state() private status: 'loading' | 'ready' | 'failed' | 'unavailable' = 'loading';
  @state() private searchText = '';
  @state() private next: string | undefined;
  /** The conversation that the Tab key reaches. */
  @state() private activeId: string | undefined;
  /** The conversation that is being changed, and how. */
  @state() private change: { readonly id: string; readonly mode: RowMode } | undefined;
  /** Ids of the conversations that are being deleted. */
  @state() private removing: ReadonlySet<string> = new Set();
  @query('.field') private readonly field!: HTMLInputElement | null;
  #source: ThreadSource | undefined;
  #loading = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** The query of the threads that are shown. */
  #shownQuery = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.dispatchEvent(
      new ThreadsEvent((source) => {
        this.#source = source;
        void this.#load();
      }),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.#loading.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.hasUpdated || !changed.has('visitor')) return;
    // what is shown, and looked for, is the former visitor's
    this.threads = [];
    this.next = undefined;
    this.searchText = '';
    if (this.field) this.field.value = '';
    void this.#load();
  }

  protected override firstUpdated(): void {
    // the dialog covers the top of the panel, which may be scrolled when it is low
    if (this.parentElement) this.parentElement.scrollTop = 0;
    // the search field would open the on-screen keyboard
    const isTouch = matchMediaSafe('(pointer: coarse)').matches;
    (isTouch ? this.renderRoot.querySelector<HTMLElement>('[role=dialog]') : this.field)?.focus();
  }

  override render(): unknown {
    const { words, status } = this;
    const button = (name: string, shape: string, onClick: () => void): unknown =>
      html`<button class="icon-button" type="button" aria-label=${name} title=${name} @click=${onClick}>
        ${icon(shape)}
      </button>`;
    return html`<div
      role="dialog"
      aria-modal="true"
      aria-labelledby="title"
      tabindex="-1"
      @keydown=${this.#onKey}
    >
      <header role="none">
        <h2 id="title">${words.t('panel.threads')}</h2>
        ${button(words.t('panel.new'), newChatIcon, this.#startNew)}
        ${button(words.t('panel.close'), closeIcon, this.#close)}
      </header>
      ${
        status === 'unavailable'
          ? nothing
          : html`<div class="search">
              ${icon(searchIcon)}
              <input
                class="field"
                type="search"
                maxlength=${longestQuery}
                autocomplete="off"
                enterkeyhint="search"
                aria-label=${words.t('threads.search')}
                placeholder=${words.t('threads.search')}
                @input=${this.#onInput}
              />
            </div>`
      }
      <div class="body scrolls" aria-busy=${status === 'loading'}>${this.renderBody()}</div>
    </div>`;
  }

  private renderBody(): unknown {
    const { words, status, threads } = this;
    const said = (text: string, action: unknown = nothing): unknown =>
      html`<div class="state">${icon(threadsIcon)}<span dir="auto">${text}</span>${action}</div>`;
    if (status === 'unavailable') return said(words.t('threads.unavailable'));
    if (status === 'failed')
      return said(
        words.t('threads.failed'),
        html`<button class="button" type="button" @click=${() => this.#load()}>
          ${words.t('notice.retry')}
        </button>`,
      );
    if (status === 'loading' && threads.length === 0)
      return html`<p class="visually-hidden">${words.t('threads.loading')}</p>
        ${[0, 1, 2, 3].map(() => html`<div class="ghost"></div>`)}`;
    if (threads.length === 0)
      return said(
        this.#shownQuery ? words.t('threads.none', { query: this.#shownQuery }) : words.t('threads.empty'),
      );
    return html`<ul aria-label=${words.t('panel.threads')}>
        ${repeat(
          threads,
          ({ id }) => id,
          (thread) =>
            renderThread(thread, {
              words,
              query: this.#shownQuery,
              isCurrent: thread.id === this.#source?.currentId,
              isActive: thread.id === (this.activeId ?? threads[0]?.id),
              mode: this.#modeOf(thread),
              open: () => this.#open(thread),
              become: (mode) => this.#become(thread, mode),
              rename: (title) => this.#rename(thread, title),
              remove: () => this.#remove(thread),
            }),
        )}
      </ul>
      ${
        this.next
          ? html`<div class="rest">
              <button class="button quiet" type="button" @click=${() => this.#load(this.next)}>
                ${words.t('threads.more')}
              </button>
            </div>`
          : nothing
      }`;
  }

  #modeOf({ id }: ListedThread): RowMode | undefined {
    if (this.removing.has(id)) return { kind: 'remove', isRunning: true };
    return this.change?.id === id ? this.change.mode : undefined;
  }

  /** Reads the first threads, or the next ones after those that are shown. */
  async #load(before?: string): Promise<void> {
    const source = this.#source;
    if (!source) return;
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    const searchText = this.searchText;
    this.status = 'loading';
    try {
      const list = await source.list({ query: searchText || undefined, before, signal });
      if (signal.aborted) return;
      this.#shownQuery = searchText;
      this.next = list?.next ?? undefined;
      const known = new Set(before ? this.threads.map(({ id }) => id) : []);
      const fresh = (list?.threads ?? []).filter(({ id }) => !known.has(id));
      if (!before) this.change = undefined;
      this.threads = before ? [...this.threads, ...fresh] : fresh;
      this.status = list ? 'ready' : 'unavailable';
      if (before) this.#focusThread(fresh[0]?.id);
      else if (searchText && list) this.#announceFound(searchText);
    } catch {
      if (signal.aborted) return;
      this.status = 'failed';
      this.#announce(this.words.t('threads.failed'));
    }
  }

  #announceFound(searchText: string): void {
    const { words, threads } = this;
    this.#announce(
      threads.length === 0
        ? words.t('threads.none', { query: searchText })
        : words.t('threads.found', { count: threads.length }),
    );
  }

  #announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  #open({ id, title, unread }: ListedThread): void {
    const { words } = this;
    this.#announce(words.t('threads.opened', { title: title || words.t('threads.untitled') }));
    this.#close();
    this.#source?.open(id, unread);
  }

  /** Changes what a row offers, and moves focus to it. */
  async #become({ id }: ListedThread, mode: RowMode | undefined): Promise<void> {
    this.activeId = id;
    this.change = mode && { id, mode };
    await this.updateComplete;
    const row = this.renderRoot.querySelector(`[data-id="${CSS.escape(id)}"]`);
    const inside = ['input', '.bar button', '.open']
      .map((selector) => row?.querySelector<HTMLElement>(selector))
      .find(Boolean);
    inside?.focus();
    // backward, so that the beginning is in view
    if (inside instanceof HTMLInputElement) inside.setSelectionRange(0, inside.value.length, 'backward');
  }

  async #rename(thread: ListedThread, text: string): Promise<void> {
    const title = text.replace(/\s+/g, ' ').trim();
    await this.#become(thread, undefined);
    if (title === thread.title || title === '') return;
    this.#replace({ ...thread, title });
    try {
      await this.#source?.rename(thread.id, title);
      this.#announce(this.words.t('threads.renamed', { title }));
    } catch {
      this.#replace(thread);
      await this.#become(thread, { kind: 'rename', title, hasFailed: true });
      this.#announce(this.words.t('threads.change-failed'));
    }
  }

  async #remove(thread: ListedThread): Promise<void> {
    const { id } = thread;
    if (this.removing.has(id)) return;
    const title = thread.title || this.words.t('threads.untitled');
    this.removing = new Set([...this.removing, id]);
    const hasFailed = await this.#source?.remove(id).then(
      () => false,
      () => true,
    );
    this.removing = new Set([...this.removing].filter((one) => one !== id));
    if (hasFailed) {
      await this.#become(thread, { kind: 'remove', hasFailed: true });
      this.#announce(this.words.t('threads.change-failed'));
      return;
    }
    const index = this.threads.findIndex((one) => one.id === id);
    const place = this.shadowRoot?.activeElement?.closest<HTMLElement>('li, .search');
    this.threads = this.threads.filter((one) => one.id !== id);
    this.#announce(this.words.t('threads.deleted', { title }));
    if (place && place.dataset['id'] !== id) return; // the visitor has gone on meanwhile
    this.change = undefined;
    const neighbour = this.threads[index] ?? this.threads[index - 1];
    if (neighbour) this.#focusThread(neighbour.id);
    else this.field?.focus();
  }

  #replace(thread: ListedThread): void {
    this.threads = this.threads.map((one) => (one.id === thread.id ? thread : one));
  }

  #focusThread(id: string | undefined): void {
    const thread = this.threads.find((one) => one.id === id);
    if (thread) void this.#become(thread, undefined);
  }

  #startNew(): void {
    this.#close();
    this.dispatchEvent(new PanelRequest({ kind: 'new-thread' }));
  }

  #close(): void {
    this.dispatchEvent(new Event('close'));
  }

  #onInput(): void {
    this.searchText = this.field?.value.trim() ?? '';
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#load(), typingDelayMs);
  }

  /** Keys of the list. None of them leaves the dialog. */
  #onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    const { key, target } = event;
    // 229: the key belongs to an input method
    if (event.defaultPrevented || event.keyCode === 229 || !(target instanceof HTMLElement)) return;
    const isHandled = key === 'Tab' ? trapFocus(this.#stops, event.shiftKey) : this.#perform(key, target);
    if (isHandled) event.preventDefault();
  }

  /** Returns whether the key did something. */
  #perform(key: string, target: HTMLElement): boolean {
    const { threads } = this;
    const id = target.closest<HTMLElement>('[data-id]')?.dataset['id'];
    const index = threads.findIndex((one) => one.id === id);
    const thread = threads[index];
    if (key === 'Escape') return this.#escape(thread);
    const isWriting = target instanceof HTMLInputElement;
    const targets = new Map<string, ListedThread | undefined>([
      ['ArrowDown', threads[index + 1]],
      ['ArrowUp', threads[index - 1]],
      ['Home', isWriting ? undefined : threads[0]], // in a field, it moves the caret
      ['End', isWriting ? undefined : threads.at(-1)],
    ]);
    const to = targets.get(key);
    if (isWriting && thread) return false; // its title is being written
    if (to) {
      this.#focusThread(to.id);
      return true;
    }
    if (key === 'ArrowUp' && index === 0) this.field?.focus();
    if (isWriting || !thread) return false;
    if (key === 'F2') void this.#become(thread, { kind: 'rename', title: thread.title });
    else if (key === 'Delete') void this.#become(thread, { kind: 'remove' });
    else if (key === 'ContextMenu') void this.#become(thread, { kind: 'choose' });
    else return false;
    return true;
  }

  /** Undoes one thing: a change that was begun, then the search, then the dialog. */
  #escape(thread: ListedThread | undefined): boolean {
    if (this.change && thread) void this.#become(thread, undefined);
    else if (this.field?.value) {
      this.field.value = '';
      this.#onInput();
      this.field.focus();
    } else this.#close();
    return true;
  }

  /** The visible controls that Tab reaches. */
  get #stops(): readonly HTMLElement[] {
    const controls = this.renderRoot.querySelectorAll<HTMLElement>('button:not([tabindex="-1"]), input');
    return [...controls].filter((control) => control.getClientRects().length > 0);
  }
}
