import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { PanelRequest } from '../events/panel-request.ts';
import { agentName, type PanelConfig } from '../contexts.ts';
import { closeIcon, collapseIcon, expandIcon, icon, newChatIcon, threadsIcon } from '../theme/icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { disclosureMark } from '../i18n/disclosure-mark.ts';
import { disclosureText } from '../i18n/status-strings.ts';
import { avatarStyles, renderAvatar } from './avatar.ts';
import { headerStyles } from './header.styles.ts';

/**
 * The panel's header: avatar, name, status and buttons.
 *
 * @element agent-chat-header
 * @attr plain - Set while the welcome page shows the avatar
 * @fires agent-chat-request - A button was pressed: close, expand, new thread or conversations
 * @slot - Replaces avatar, name and status
 * @slot actions - Extra buttons before the built-in ones
 * @csspart avatar
 * @csspart header-name
 * @csspart disclosure-mark
 * @csspart header-status
 * @csspart header-button
 * @csspart close
 */
export class HeaderElement extends LitElement {
  static override styles = [sharedStyles, avatarStyles, headerStyles];

  @property({ attribute: false }) panel!: PanelConfig;
  @property() status = '';
  @property({ type: Boolean }) expanded = false;
  /** True when the conversation has messages, so that "New chat" makes sense. */
  @property({ type: Boolean }) started = false;
  /** True when the service lists the visitor's conversations. */
  @property({ type: Boolean }) lists = false;

  override render(): unknown {
    const { config, words } = this.panel;
    const name = agentName(this.panel);
    const mark = disclosureMark(config.disclosure, words);
    return html`<slot class="identity"
        >${renderAvatar(this.panel)}
        <div class="words">
          <div class="title">
            <h2 class="name" part="header-name" dir="auto" title=${name}>${name}</h2>
            ${
              mark
                ? html`<span
                    class="mark"
                    part="disclosure-mark"
                    title=${disclosureText(config.disclosure, words)}
                    >${mark}</span
                  >`
                : nothing
            }
          </div>
          <p class="status" part="header-status" dir="auto" title=${this.status}>${this.status}</p>
        </div></slot
      >
      <slot name="actions"></slot>
      ${this.lists ? this.renderButton('panel.threads', threadsIcon, 'threads') : nothing}
      ${this.started ? this.renderButton('panel.new', newChatIcon, 'new-thread') : nothing}
      ${
        config.formType === 'float'
          ? this.renderButton(
              this.expanded ? 'panel.collapse' : 'panel.expand',
              this.expanded ? collapseIcon : expandIcon,
              'expand',
            )
          : nothing
      }
      ${config.formType === 'custom' ? nothing : this.renderButton('panel.close', closeIcon, 'close')}`;
  }

  private renderButton(
    label: 'panel.threads' | 'panel.new' | 'panel.expand' | 'panel.collapse' | 'panel.close',
    shape: typeof newChatIcon,
    kind: 'threads' | 'new-thread' | 'expand' | 'close',
  ): unknown {
    const text = this.panel.words.t(label);
    return html`<button
      class="icon-button ${kind}"
      part=${kind === 'close' ? 'close' : 'header-button'}
      type="button"
      aria-label=${text}
      title=${text}
      @click=${() => this.dispatchEvent(new PanelRequest({ kind }))}
    >
      ${icon(shape)}
    </button>`;
  }
}
