import { css, html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { safeLinkUrl } from '../platform/url-policy.ts';
import { mismatchedHost } from '../markdown/deceptive-links.ts';
import { externalIcon } from '../theme/item-icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { textAnswer } from '../../session/answer-message.ts';
import { ContentElement } from './content-element.ts';
import { renderItemHeading } from './content-templates.ts';
import { doneIcon, icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { messageText } from './read-choices.ts';
import { asObject, firstText, innerItems, text, type Fields } from './read-item.ts';

/**
 * A button of one of four types: `post_back` sends a message as the visitor, `url` opens a link, `custom_event`
 * requests an action of the page, `show_panel` does too and, unless the page handles it, opens its panel below.
 *
 * @summary A button.
 * @element agent-chat-button
 * @fires {ItemAnswerEvent} agent-chat-item-answer - A `post_back` button was pressed.
 * @fires {ItemActionEvent} agent-chat-item-action - A `custom_event` or `show_panel` button was pressed.
 * @csspart item-button - The button or link.
 * @csspart item-frame - The panel that `show_panel` opens.
 */
export class ButtonElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      :host {
        display: inline-block;
        max-inline-size: 100%;
      }

      .button {
        max-inline-size: 100%;
        text-align: start;
      }

      .button svg {
        inline-size: 16px;
        block-size: 16px;
      }

      .panel {
        margin-block-start: var(--_space-2);
      }
    `,
  ];

  @state() private open = false;

  protected override renderContent(fields: Fields): unknown {
    const type =
      text(fields['button_type'], 40).toLowerCase().replace('-', '_') ||
      (fields['url'] ? 'url' : 'post_back');
    const label = firstText(
      fields['label'],
      fields['title'],
      fields['text'],
      messageText(fields['value']),
      fields['custom_event_name'],
      fields['url'],
    );
    if (!label) return nothing;
    if (type === 'url') return this.renderLink(fields, label);
    if (type === 'show_panel') return this.renderPanelButton(fields, label);
    if (type === 'custom_event') return this.renderButton(fields, label, () => this.#ask(fields));
    return this.renderPostBack(fields, label);
  }

  private renderLink(fields: Fields, label: string): unknown {
    const address = safeLinkUrl(firstText(fields['url'], fields['target']));
    if (!address) {
      return html`<span class="button" part="item-button" aria-disabled="true" role="link"
        >${label}<span class="visually-hidden">, ${this.t('link.refused')}</span></span
      >`;
    }
    const real = mismatchedHost(label, address);
    return html`<a
      class=${style(fields)}
      part="item-button"
      href=${address.href}
      target="_blank"
      rel="noopener noreferrer"
      ><bdi>${label}</bdi
      >${real === undefined ? nothing : html`<bdi dir="ltr"> (${real})</bdi>`}${icon(externalIcon)}<span
        class="visually-hidden"
        >, ${this.t('content.new-tab')}</span
      ></a
    >`;
  }

  private renderPostBack(fields: Fields, label: string): unknown {
    const pressed = Boolean(this.context.answer);
    return html`<button
      class=${style(fields)}
      part="item-button"
      aria-pressed=${pressed ? 'true' : nothing}
      aria-disabled=${this.answerable ? nothing : 'true'}
      @click=${() => this.#postBack(fields, label)}
    >
      ${pressed ? icon(doneIcon) : nothing}${label}
    </button>`;
  }

  private renderButton(fields: Fields, label: string, press: () => void): unknown {
    return html`<button class=${style(fields)} part="item-button" @click=${press}>${label}</button>`;
  }

  private renderPanelButton(fields: Fields, label: string): unknown {
    return html`<button
        class=${style(fields)}
        part="item-button"
        aria-expanded=${this.open}
        @click=${() => this.#showPanel(fields)}
      >
        ${label}
      </button>
      ${this.open ? this.renderPanel(asObject(fields['panel'])) : nothing}`;
  }

  private renderPanel(panel: Fields): unknown {
    const items = [
      ...innerItems(panel['body'], this.item, 'body'),
      ...innerItems(panel['footer'], this.item, 'footer'),
    ];
    return html`<section class="frame panel" part="item-frame">
      ${renderItemHeading(panel)} ${this.renderInner(items)}
    </section>`;
  }

  #postBack(fields: Fields, label: string): void {
    if (!this.answerable) return;
    const words = messageText(fields['value']) || label;
    this.sendAnswer({ action: 'choose', data: words }, textAnswer(words, label));
  }

  #ask(fields: Fields): void {
    this.sendAction(
      firstText(fields['custom_event_name']) || 'custom_event',
      fields['value'] ?? fields['user_defined'],
    );
  }

  #showPanel(fields: Fields): void {
    const taken = !this.sendAction('show_panel', fields['panel'] ?? fields['target']);
    const hasPanel = Object.keys(asObject(fields['panel'])).length > 0;
    if (!taken && hasPanel) this.open = !this.open;
  }
}

function style(fields: Fields): string {
  const kind = text(fields['kind'], 40);
  if (kind === 'danger') return 'button bad';
  if (kind === 'ghost' || kind === 'tertiary' || kind === 'link') return 'button quiet';
  return kind === 'primary' || kind === 'default' ? 'button main' : 'button';
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-button': ButtonElement;
  }
}
