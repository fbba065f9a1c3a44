import { css, html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { personIcon } from '../theme/item-icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { asObject, firstText, text, type Fields } from './read-item.ts';

/**
 * Offers a handover to a person. The page makes the connection when it handles the action (`preventDefault`). If it
 * does not, a text says that nobody is available.
 *
 * @summary A handover to a person.
 * @element agent-chat-connect-to-agent
 * @fires {ItemActionEvent} agent-chat-item-action - The visitor asks for a person.
 */
export class ConnectToAgentElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      .who {
        display: flex;
        gap: var(--_space-3);
        align-items: flex-start;
      }

      .who svg {
        color: var(--_accent-text);
        margin-block-start: 1px;
      }
    `,
  ];

  @state() private outcome: 'open' | 'asked' | 'refused' = 'open';

  protected override renderContent(fields: Fields): unknown {
    const isOpen = this.outcome === 'open';
    const isNobodyThere = !wordsOf(fields['agent_available']) && wordsOf(fields['agent_unavailable']);
    return html`<section class="frame" part="item-frame">
      <div class="who">
        ${icon(personIcon)}
        <div>
          <p class="title" part="item-title" dir="auto">
            ${firstText(fields['title']) || this.t('connect.title')}
          </p>
          <p class="description" part="item-description" dir="auto">${this.#text(fields)}</p>
        </div>
      </div>
      ${isOpen && !isNobodyThere ? this.renderAction(fields) : nothing}
    </section>`;
  }

  private renderAction(fields: Fields): unknown {
    return html`<div class="actions" part="item-actions">
      <button class="button main" part="item-button" @click=${() => this.#connect(fields)}>
        ${this.t('connect.action')}
      </button>
    </div>`;
  }

  #connect(fields: Fields): void {
    const untaken = this.sendAction('connect_to_agent', {
      message: text(fields['message_to_human_agent'], 20_000),
      transfer_info: fields['transfer_info'],
    });
    this.outcome = untaken ? 'refused' : 'asked';
    this.announce(this.#text(fields));
  }

  /** What the outcome means for the visitor: the agent's message, or ours. */
  #text(fields: Fields): string {
    const unavailable = wordsOf(fields['agent_unavailable']);
    if (this.outcome === 'asked') return this.t('connect.asked');
    if (this.outcome === 'refused') return unavailable || this.t('connect.unavailable');
    return wordsOf(fields['agent_available']) || unavailable || this.t('connect.available');
  }
}

function wordsOf(offered: unknown): string {
  return firstText(asObject(offered)['message'], typeof offered === 'string' ? offered : '');
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-connect-to-agent': ConnectToAgentElement;
  }
}
