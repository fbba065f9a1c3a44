import { css, html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { withVisibleControls } from '../../content/visible-controls.ts';
import { iconOf } from '../../content/decision/decision-look.ts';
import { decisionStyles } from '../../content/decision/decision.styles.ts';
import { contentStyles } from '../../content/content.styles.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { defaultStrings, type Strings } from '../../i18n/strings.ts';
import { icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';

/**
 * Asks whether the browser's own agent may ask the chat, with its first question. Takes no focus by itself.
 *
 * @summary Asks for consent to questions of the browser's agent.
 * @element agent-chat-ask-card
 */
export class AskCardElement extends LitElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    decisionStyles,
    css`
      :host {
        display: block;
        margin-block-end: 10px;
      }

      .question {
        max-block-size: 7.8em;
        overflow: auto;
        white-space: pre-wrap;
      }
    `,
  ];

  @property({ attribute: false }) question = '';
  @property({ attribute: false }) words: Strings = defaultStrings;
  @property({ attribute: false }) choose: ((isAllowed: boolean) => void) | undefined;

  protected override firstUpdated(): void {
    this.dispatchEvent(new AnnounceEvent(`${this.words.t('ask-tool.asked')} ${this.question}`));
  }

  override render(): unknown {
    const { words } = this;
    const button = (isAllowed: boolean): unknown =>
      html`<button
        class="button ${isAllowed ? 'main' : 'decline'}"
        type="button"
        aria-describedby="state"
        @click=${(event: MouseEvent) => event.detail < 2 && this.choose?.(isAllowed)}
      >
        ${words.t(isAllowed ? 'page-tool.allow-always' : 'page-tool.decline')}
      </button>`;
    return html`<div class="card open" role="group" aria-labelledby="state">
      <p class="state strip" id="state">
        ${icon(iconOf('asked'))}<span dir="auto">${words.t('ask-tool.asked')}</span>
      </p>
      <div class="body">
        <div class="what">
          <p class="title question" tabindex="0" dir="auto">${withVisibleControls(this.question)}</p>
          <p class="description">${words.t('ask-tool.reads')}</p>
        </div>
        <div class="choices">${button(false)} ${button(true)}</div>
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-ask-card': AskCardElement;
  }
}
