import { css, html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { HistoryState } from '../../../session/index.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { PanelRequest, type Request } from '../../events/panel-request.ts';
import { noticeStyles } from './notice.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import type { StringKey } from '../../i18n/strings.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';

/**
 * Stands in for a thread's stored messages: a skeleton while they load, a notice with Retry after a failure, a
 * sentence and New chat when the service does not have the thread any more.
 *
 * @element agent-chat-history-status
 * @attr partial - Set while other messages of the thread are visible
 * @fires agent-chat-request - Retry, or sign in
 * @csspart notice
 */
export class HistoryStatusElement extends ExtraStringsElement {
  static override styles = [
    sharedStyles,
    noticeStyles,
    css`
      :host {
        display: grid;
        gap: var(--_space-3);
        align-content: end;
        flex: 1;
        padding-block-end: 2px;
      }
      :host([partial]) {
        flex: none;
      }
      /* stays hidden at first, so that fast loads show nothing */
      .loading {
        display: grid;
        gap: var(--_space-3);
        animation: appear var(--_duration-slow) var(--_ease) 300ms backwards;
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
      .line,
      .from-visitor {
        height: 10px;
        border-radius: var(--_radius-pill);
        background: color-mix(in srgb, var(--_line) 55%, var(--_surface));
      }
      .from-visitor {
        justify-self: end;
        width: 56%;
        height: 40px;
        margin-block: var(--_space-2);
        border-radius: var(--_radius-message);
        border-end-end-radius: var(--_radius-tail);
      }
      .short {
        width: 62%;
      }
      p {
        margin: var(--_space-2) 0 0;
        text-align: center;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
    `,
  ];

  /** Never `none`: the element is only rendered while messages are missing. */
  @property() state: HistoryState = 'loading';
  /** True while the browser is offline. */
  @property({ attribute: false }) offline = false;
  /** True while other messages of the thread are visible. */
  @property({ type: Boolean, reflect: true }) partial = false;
  /** True while the page signs the visitor in; the next thing to do is to retry. */
  @state() private isSigningIn = false;

  /** What was announced last; attempts that go on do not repeat it. */
  #announced = '';

  override updated(): void {
    if (this.state === 'loading') return;
    const text = this.failureText();
    if (text === this.#announced) return;
    this.#announced = text;
    this.dispatchEvent(new AnnounceEvent(text));
  }

  override render(): unknown {
    const { words } = this;
    if (this.state === 'loading') {
      return html`<div class="loading">
        <div class="from-visitor"></div>
        <div class="line"></div>
        <div class="line"></div>
        <div class="line short"></div>
        <div class="from-visitor"></div>
        <div class="line"></div>
        <div class="line short"></div>
        <p role="status">${words.t('history.loading')}</p>
      </div>`;
    }
    if (this.state === 'gone' && this.partial) return nothing;
    return html`<div class="notice" part="notice">
      <span class="words">${this.failureText()}</span>
      <button class="button bad" type="button" @click=${this.onRemedy}>${words.t(this.remedy)}</button>
    </div>`;
  }

  private get offersSignIn(): boolean {
    return this.state === 'auth-needed' && !this.isSigningIn;
  }

  private get remedy(): StringKey {
    if (this.state === 'gone') return 'panel.new';
    return this.offersSignIn ? 'notice.sign-in' : 'notice.retry';
  }

  private onRemedy(): void {
    this.#announced = '';
    const onHandled = () => (this.isSigningIn = true);
    const request: Request = this.offersSignIn
      ? { kind: 'sign-in', runKey: undefined, onHandled }
      : { kind: this.state === 'gone' ? 'new-thread' : 'load-history' };
    this.isSigningIn = false;
    this.dispatchEvent(new PanelRequest(request));
  }

  private failureText(): string {
    const { words } = this;
    if (this.state === 'gone') return words.t('threads.gone');
    if (this.state === 'auth-needed') return words.t('failure.auth');
    if (this.offline && !this.partial) return words.t('history.offline');
    return words.t(this.partial ? 'history.partial' : 'history.failed');
  }
}
