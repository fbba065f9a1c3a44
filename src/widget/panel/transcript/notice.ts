import { css, html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Run, RunFailure } from '../../../conversation/conversation.ts';
import { referenceCode } from '../../../conversation/reference-code.ts';
import { PanelRequest, type Request } from '../../events/panel-request.ts';
import { icon, nextIcon } from '../../theme/icons.ts';
import { noticeStyles } from './notice.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultStrings, type StringKey, type Strings } from '../../i18n/strings.ts';
import { failureText, maxCountdownSeconds, stoppedText } from '../../i18n/status-strings.ts';

/**
 * Shows why a run failed, was stopped or ended without an answer, and offers a remedy if there is one.
 *
 * @element agent-chat-notice
 * @fires agent-chat-request - Retry, sign in, or a new thread
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
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        font: var(--_size-tiny) / 1.5 var(--_font-mono);
      }
      .reference {
        display: block;
        margin-block-start: 2px;
        font-size: var(--_size-small);
        color: var(--_muted);
        -webkit-user-select: all;
      }
      .quiet {
        margin: 0;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
    `,
  ];

  @property({ attribute: false }) run: Run | undefined;
  /** Whether a remedy is offered: for the newest turn, and for every message that can be sent again. */
  @property({ attribute: false }) canRetry = false;
  /** True when the run recovered from the failure; only developers see the notice then. */
  @property({ attribute: false }) answered = false;
  /** Preview mode: the service's own message is shown, too. */
  @property({ attribute: false }) preview = false;
  @property({ attribute: false }) words: Strings = defaultStrings;
  /** The failure for which the page signs the visitor in; the next thing to do is to retry. */
  @state() private signInFor: RunFailure | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate(); // continue the countdown after a move
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  protected override updated(): void {
    // once more after its end: the last second may have passed since the notice was rendered
    if (this.secondsLeft > -1) this.#timer ??= setInterval(() => this.requestUpdate(), 1000);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  private get secondsLeft(): number {
    const { run } = this;
    const { retryAfter = 0 } = run?.failure ?? {};
    if (!run?.endedAt || retryAfter > maxCountdownSeconds) return -1;
    return Math.ceil((run.endedAt + retryAfter * 1000 - Date.now()) / 1000);
  }

  override render(): unknown {
    const { run, words } = this;
    if (!run) return nothing;
    if (run.status === 'cancelled') {
      return html`<p class="quiet" part="notice">${stoppedText(run, words)}</p>
        ${run.failure ? this.renderDetails(run.failure) : nothing}`;
    }
    if (!run.failure) return html`<p class="quiet" part="notice">${words.t('notice.no-answer')}</p>`;
    if (this.answered) {
      return this.preview
        ? html`<div class="quiet" part="notice">${this.renderDetails(run.failure)}</div>`
        : nothing;
    }
    const wait = this.secondsLeft;
    return html`<div class="notice" part="notice">
      <span class="words"
        >${failureText(run, words, wait)}${hasReference(run.failure) ? this.renderReference(run) : nothing}</span
      >
      ${this.canRetry ? this.renderRemedy(run, wait > 0) : nothing} ${this.renderDetails(run.failure)}
    </div>`;
  }

  /** The reference code to quote to support; one click selects all of it. */
  private renderReference(run: Run): unknown {
    const code = referenceCode(run);
    return html`<small class="reference">${this.words.t('notice.reference', { code })}</small>`;
  }

  /** The service's message and the request it belongs to. */
  private renderDetails({ reason, status, url, requestId }: RunFailure): unknown {
    if (!this.preview) return nothing;
    const facts = [reason.slice(0, 2000), status, url, requestId].filter(Boolean).join('\n');
    return facts === ''
      ? nothing
      : html`<details>
          <summary>${icon(nextIcon, 'directional')}${this.words.t('notice.details')}</summary>
          <pre dir="auto">${facts}</pre>
        </details>`;
  }

  private renderRemedy({ id, failure }: Run, wait: boolean): unknown {
    if (failure?.kind === 'forbidden' || failure?.kind === 'not-found')
      return this.renderButton('panel.new', { kind: 'new-thread' });
    if (failure?.retryable !== true) return nothing;
    if (failure.kind === 'auth' && this.signInFor !== failure) {
      const onHandled = () => (this.signInFor = failure);
      return this.renderButton('notice.sign-in', { kind: 'sign-in', runKey: id, onHandled });
    }
    return this.renderButton('notice.retry', { kind: 'retry', runKey: id }, wait);
  }

  private renderButton(label: StringKey, request: Request, wait = false): unknown {
    return html`<button
      class="button bad"
      type="button"
      aria-disabled=${wait}
      @click=${() => {
        if (!wait) this.dispatchEvent(new PanelRequest(request));
      }}
    >
      ${this.words.t(label)}
    </button>`;
  }
}

/** Kinds of failure that nobody has to look up in a server's log. */
const unreferencedKinds: ReadonlySet<RunFailure['kind']> = new Set([
  'interrupted',
  'network',
  'timeout',
  'auth',
  'guardrail',
]);

/** Whether the visitor is given a code to quote to support. */
function hasReference({ kind }: RunFailure): boolean {
  return !unreferencedKinds.has(kind);
}
