import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { PanelRequest } from '../events/panel-request.ts';
import { agentName, type PanelConfig } from '../contexts.ts';
import { closeIcon, collapseIcon, expandIcon, icon, newChatIcon, threadsIcon } from '../theme/icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { disclosureMark } from '../i18n/disclosure-mark.ts';
import { disclosureText } from '../i18n/status-strings.ts';
import { avatarStyles, renderAvatar } from './avatar.ts';

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
  static override styles = [
    sharedStyles,
    avatarStyles,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 2px;
        min-height: var(--_header-height);
        padding-block: 6px 5px;
        padding-inline: var(--_space-4) var(--_space-2);
        background: var(--_primary);
        color: var(--_on-primary);
        border-block-end: 1px solid var(--_line); /* separates a white header from a white transcript */
        --_focus: var(--_on-primary);
        --_icon-button-hover: var(--_primary-raised);
      }
      .identity {
        display: flex; /* also applies to slotted content, so that the buttons stay at the end */
        align-items: center;
        gap: 10px;
        flex: 1;
        min-width: 0;
      }
      .avatar {
        --_avatar: max(32px, 1.83em);
        border-radius: var(--_radius);
        background: var(--_primary-raised);
        font-size: 0.93em;
      }
      .words {
        min-width: 0;
      }
      .name,
      .status {
        margin: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        /* name and status may differ in direction; both start at the avatar */
        text-align: -webkit-match-parent;
        text-align: match-parent;
      }
      .name {
        font-size: inherit;
        font-weight: 600;
        line-height: 1.25;
      }
      .title {
        display: flex;
        align-items: center;
        gap: 6px;
        min-width: 0;
      }
      .mark {
        flex: none;
        padding: 1px 5px;
        border-radius: 5px;
        background: var(--_primary-raised);
        font-size: 0.73em;
        font-weight: 650;
        line-height: 1.3;
      }
      .status {
        font-size: var(--_size-tiny);
        line-height: 1.35;
        color: var(--_on-primary-muted);
      }
      /* in small windows the panel already has its full size */
      @media (max-width: 479.98px), (max-height: 319.98px), (max-height: 479.98px) and (pointer: coarse) {
        .expand {
          display: none;
        }
      }
      /* the welcome page shows the picture at its own size */
      :host([plain]) .avatar {
        display: none;
      }
      @container panel (max-width: 20.7em) {
        .avatar,
        .expand {
          display: none;
        }
      }
      @container panel (max-height: 240px) {
        :host {
          min-height: min(var(--_header-height), 40px);
          padding-block: 2px 1px;
        }
        .avatar {
          display: none;
        }
        .words {
          flex: 1;
          display: flex;
          align-items: baseline;
          gap: 8px;
        }
        .title {
          flex: none;
          max-width: 70%;
        }
      }
    `,
  ];

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
