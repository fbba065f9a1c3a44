import { css, html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Run } from '../../../conversation/conversation.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { icon } from '../../theme/icon.ts';
import { nextIcon } from '../../theme/icons.ts';
import { noticeStyles } from '../../theme/notice.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultWords, type Words } from '../../i18n/words.ts';
import { failureWords, stoppedWords } from '../../i18n/status-strings.ts';

/**
 * Why a turn did not end well, in words a visitor understands, with the one way on.
 *
 * @element agent-chat-notice
 * @csspart notice
 */
export class NoticeElement extends LitElement {
  static override styles = [
    sharedStyles,
    noticeStyles,
    css`
      :host {
        display: block;
      }
      details {
        flex-basis: 100%;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
      pre {
        margin: var(--_space-1) 0 0;
        max-height: 140px;
        overflow: auto;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        font: var(--_size-tiny) / 1.5 var(--_font-mono);
      }
      .quiet {
        margin: 0;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
    `,
  ];

  @property({ attribute: false }) run: Run | undefined;
  /** The newest turn: only there it can be repeated. */
  @property({ type: Boolean }) last = false;
  /** The run got over its fault, which is there for who asks. */
  @property({ attribute: false }) answered = false;
  @property({ attribute: false }) words: Words = defaultWords;
  /** Milliseconds since the epoch, while a countdown runs. */
  @state() private now = Date.now();
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate(); // moved with its turn, it counts on
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  protected override updated(): void {
    const waiting = this.secondsLeft > 0;
    if (waiting) this.#timer ??= setInterval(() => (this.now = Date.now()), 1000);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  private get secondsLeft(): number {
    const { run } = this;
    if (!run?.failure?.retryAfter || !run.endedAt) return 0;
    return Math.max(0, Math.ceil((run.endedAt + run.failure.retryAfter * 1000 - this.now) / 1000));
  }

  override render(): unknown {
    const { run, words } = this;
    if (!run) return nothing;
    if (run.status === 'cancelled') {
      return html`<p class="quiet" part="notice">${stoppedWords(run, words)}</p>`;
    }
    if (!run.failure) return nothing;
    const wait = this.secondsLeft;
    const text = this.answered ? '' : failureWords(run, words, wait);
    return html`<div class=${this.answered ? 'quiet' : 'notice'} part="notice">
      <span class="words">${text}</span>
      ${this.last && run.failure.retryable ? this.renderWayOn(run, wait > 0) : nothing}
      ${
        run.failure.reason && run.failure.reason !== text
          ? html`<details>
              <summary>${icon(nextIcon, 'directional')}${words.say('notice.details')}</summary>
              <pre dir="auto">${run.failure.reason.slice(0, 2000)}</pre>
            </details>`
          : nothing
      }
    </div>`;
  }

  private renderWayOn(run: Run, wait: boolean): unknown {
    return html`<button
      class="button bad"
      type="button"
      aria-disabled=${wait ? 'true' : 'false'}
      @click=${() => {
        if (!wait) this.dispatchEvent(new PanelRequest({ kind: 'retry', runKey: run.id }));
      }}
    >
      ${this.words.say('notice.retry')}
    </button>`;
  }
}
