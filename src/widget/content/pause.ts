import { css, html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import type { ConversationMessage } from '../../conversation/conversation.ts';
import { adoptStyles } from '../platform/adopt-styles.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { contentStyles } from './content.styles.ts';
import { number, type Fields } from './read-item.ts';

/** Maximum length of a pause, in ms. */
const maxPauseMs = 10_000;
/** Age of a message, in ms, from which its pauses are skipped. */
const freshForMs = 15_000;

/** In a list of items, hides what follows an active `pause`. */
const holdingStyles = css`
  agent-chat-item[holding] ~ * {
    display: none;
  }
`;

/**
 * A pause before the next item: typing dots, then nothing. Messages from history or an earlier page do not pause
 * again. While it lasts, the surrounding item has the attribute `holding`.
 *
 * @summary A pause, with or without a typing indicator.
 * @element agent-chat-pause
 * @csspart typing - The dots.
 */
export class PauseElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      .dots {
        display: inline-flex;
        gap: 4px;
        padding-block: 8px;
      }

      i {
        inline-size: 6px;
        block-size: 6px;
        border-radius: 50%;
        background: var(--_muted);
        animation: breathe 1.2s var(--_ease) infinite alternate;
      }

      i:nth-child(2) {
        animation-delay: 0.2s;
      }

      i:nth-child(3) {
        animation-delay: 0.4s;
      }

      @keyframes breathe {
        from {
          opacity: 0.35;
        }
      }
    `,
  ];

  @state() private waiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begun = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end();
  }

  protected override willUpdate(): void {
    if (this.#begun || !(this.context as unknown)) return;
    this.#begun = true;
    const time = Math.min(number(this.item.source['time']) ?? 0, maxPauseMs);
    if (time <= 0 || isStored(this.context.message)) return;
    this.waiting = true;
    this.#hold();
    this.#timer = setTimeout(() => this.#end(), time);
  }

  protected override renderContent(fields: Fields): unknown {
    if (!this.waiting || fields['typing'] === false) return nothing;
    return html`<div class="dots" part="typing" role="img" aria-label=${this.t('status.writing')}>
      <i></i><i></i><i></i>
    </div>`;
  }

  get #frame(): Element | undefined {
    const root = this.getRootNode();
    return root instanceof ShadowRoot ? root.host : undefined;
  }

  #hold(): void {
    if (!this.#frame) return;
    adoptStyles(this.#frame, holdingStyles.styleSheet);
    this.#frame.toggleAttribute('holding', true);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.waiting = false;
    this.#frame?.toggleAttribute('holding', false);
  }
}

/** Whether a message is old, was restored from a snapshot, or comes from history. */
function isStored({ id, messageId, createdAt }: ConversationMessage): boolean {
  // messages from history only have the service's id
  return id === messageId || createdAt < performance.timeOrigin || Date.now() - createdAt > freshForMs;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-pause': PauseElement;
  }
}
