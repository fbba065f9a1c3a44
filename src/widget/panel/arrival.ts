import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { Conversation } from '../../conversation/conversation.ts';
import { itemToSpeech } from '../announcements/item-speech.ts';
import { joinSentences } from '../announcements/speech-text.ts';
import { agentName, type ConversationView, type PanelConfig } from '../contexts.ts';
import { PanelRequest } from '../events/panel-request.ts';
import { closeIcon, icon } from '../theme/icons.ts';
import type { Strings } from '../i18n/strings.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { avatarStyles, renderAvatar } from './avatar.ts';
import { arrivalStyles } from './arrival.styles.ts';

/** How long the bubble stays over the page, in ms, while nobody points at it or has its focus. */
const stayMs = 12_000;

/**
 * A bubble beside the launcher with the beginning of the answer that arrived while the chat was closed. It leaves by
 * itself. It is not announced: the live region says that there is a new message.
 *
 * @element agent-chat-arrival
 * @fires agent-chat-request - Open the chat
 * @fires close - The visitor dismissed it, or its time is over
 * @csspart arrival
 */
export class ArrivalElement extends LitElement {
  static override styles = [sharedStyles, avatarStyles, arrivalStyles];

  @property({ attribute: false }) panel: PanelConfig | undefined;
  @property({ attribute: false }) view: ConversationView | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    for (const name of ['pointerenter', 'focusin']) this.addEventListener(name, () => this.#stay());
    for (const name of ['pointerleave', 'focusout']) this.addEventListener(name, () => this.#leaveSoon());
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#leaveSoon);
    this.#leaveSoon();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#leaveSoon);
    this.#stay();
  }

  override render(): unknown {
    const { panel, view } = this;
    if (!panel || !view) return nothing;
    const { words } = panel;
    const arrived = words.t('announce.unread', { count: 1 });
    const text = lastAnswerText(view.conversation, words) || arrived;
    return html`<div
      role="group"
      part="arrival"
      aria-label=${arrived}
      lang=${words.locale}
      dir=${words.direction}
    >
      <button
        class="open"
        type="button"
        @click=${() => this.dispatchEvent(new PanelRequest({ kind: 'open' }))}
      >
        ${renderAvatar(panel)}
        <span class="words"
          ><span class="name"><bdi>${agentName(panel)}</bdi></span
          ><span class="text" dir="auto">${text.slice(0, 300)}</span></span
        >
      </button>
      <button
        class="icon-button small dismiss"
        type="button"
        aria-label=${words.t('panel.close')}
        title=${words.t('panel.close')}
        @click=${this.#close}
      >
        ${icon(closeIcon)}
      </button>
    </div>`;
  }

  /** A hidden page keeps it until somebody looks. */
  readonly #leaveSoon = (): void => {
    this.#stay();
    if (!document.hidden && !this.matches(':hover, :focus-within'))
      this.#timer = setTimeout(this.#close, stayMs);
  };

  #stay(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #close = (): void => {
    this.dispatchEvent(new Event('close'));
  };
}

/** The agent's last answer as plain text; `''` if it has none. */
function lastAnswerText({ messages }: Conversation, words: Strings): string {
  const answer = messages.findLast(({ role, items }) => role !== 'user' && items.length > 0);
  return joinSentences(answer?.items.map((item) => itemToSpeech(item, words)).filter(Boolean) ?? []);
}
