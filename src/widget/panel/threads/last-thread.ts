import { css, html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import type { ListedThread } from '../../../protocol/index.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { ThreadsEvent, type ThreadSource } from '../../events/threads-event.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import { icon, nextIcon, threadsIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { threadTime } from './thread-time.ts';

/**
 * The way back to the visitor's last conversation, on the welcome page. Shows nothing while there is none.
 *
 * @element agent-chat-last-thread
 * @fires agent-chat-threads - Asks for the source of the list
 */
export class LastThreadElement extends ExtraStringsElement {
  static override styles = [
    sharedStyles,
    css`
      :host(:not([hidden])) {
        display: block;
      }
      button {
        display: flex;
        align-items: center;
        gap: 12px;
        width: 100%;
        min-height: 56px;
        padding: 9px 14px;
        border: 1px solid var(--_line);
        border-radius: calc(var(--_radius) * 1.2);
        background: var(--_accent-soft);
        text-align: start;
        line-height: 1.4;
        animation: appear var(--_duration-slow) var(--_ease);
      }
      button:hover {
        border-color: var(--_line-field);
        box-shadow: var(--_shadow-small);
      }
      svg {
        color: var(--_accent-text);
      }
      .words {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        flex: 1;
        min-width: 0;
      }
      small {
        display: flex;
        gap: 8px;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
      small > span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        text-align: -webkit-match-parent;
        text-align: match-parent;
      }
      strong {
        font-weight: 550;
        line-height: 1.3;
        overflow-wrap: anywhere;
      }
      time {
        flex: none;
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
    `,
  ];

  @state() private thread: ListedThread | undefined;
  #source: ThreadSource | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.dispatchEvent(new ThreadsEvent((source) => void this.#load(source)));
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
    this.#source = source;
    const list = await source.list({ limit: 1 }).catch(() => undefined); // the list itself says what is wrong
    this.thread = list?.threads[0];
  }
}
