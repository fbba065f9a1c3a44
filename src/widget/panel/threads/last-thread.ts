import { html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ListedThread } from '../../../protocol/index.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { ThreadsEvent, type ThreadSource } from '../../events/threads-event.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import { icon, nextIcon, threadsIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { threadTime } from './thread-time.ts';
import { lastThreadStyles } from './last-thread.styles.ts';

/**
 * The way back to the visitor's last conversation, on the welcome page. Shows nothing while there is none.
 *
 * @element agent-chat-last-thread
 * @fires agent-chat-threads - Asks for the source of the list
 */
export class LastThreadElement extends ExtraStringsElement {
  static override styles = [sharedStyles, lastThreadStyles];

  @property({ attribute: false }) visitor = '';
  @state() private thread: ListedThread | undefined;
  #source: ThreadSource | undefined;
  /** The latest request, and the visitor whose conversation it asks for. */
  #asked: { readonly visitor: string } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.dispatchEvent(
      new ThreadsEvent((source) => {
        source.onChange = () => void this.#load(source);
        source.onChange();
      }),
    );
  }

  protected override willUpdate(): void {
    if (this.#source && this.visitor !== this.#asked?.visitor) void this.#load(this.#source);
  }

  override render(): unknown {
    const { thread, words } = this;
    if (!thread) return nothing;
    const at = thread.updated_on;
    const title = thread.title || words.t('threads.untitled');
    return html`<button type="button" @click=${() => this.#open(thread, title)}>
      ${icon(threadsIcon)}
      <span class="words">
        <strong>${words.t('threads.continue')}</strong>
        <small><span dir="auto">${title}</span><time datetime=${at}>${threadTime(at, words)}</time></small>
      </span>
      ${icon(nextIcon, 'directional')}
    </button>`;
  }

  #open({ id, unread }: ListedThread, title: string): void {
    this.dispatchEvent(new AnnounceEvent(this.words.t('threads.opened', { title })));
    this.#source?.open(id, unread);
  }

  async #load(source: ThreadSource): Promise<void> {
    if (!this.isConnected) return;
    const { visitor } = this;
    if (visitor !== this.#asked?.visitor) this.thread = undefined;
    this.#source = source;
    const asked = (this.#asked = { visitor });
    const list = await source.list({ limit: 1 }).catch(() => undefined); // the list itself says what is wrong
    if (asked === this.#asked) this.thread = list?.threads[0];
  }
}
