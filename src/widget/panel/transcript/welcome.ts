import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { PanelConfig } from '../../contexts.ts';
import type { Starter } from '../../config/host-options.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { nextIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { icon } from '../../theme/icon.ts';
import { disclosureText } from '../../i18n/status-strings.ts';

/**
 * The empty conversation: a greeting and suggestions, near the composer.
 *
 * @element agent-chat-welcome
 * @fires agent-chat-request - The visitor chose a suggestion
 * @csspart welcome
 * @csspart disclosure
 * @csspart starter
 */
export class WelcomeElement extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--_space-4);
        align-content: end;
        flex: 1;
        padding-block-end: 2px;
      }
      h3 {
        margin: 0;
        font-size: var(--_size-large);
        font-weight: 650;
        line-height: 1.25;
        letter-spacing: -0.01em;
        text-wrap: balance;
        white-space: pre-line;
        overflow-wrap: anywhere;
      }
      .more,
      .who {
        margin: 6px 0 0;
        color: var(--_muted);
        white-space: pre-line;
        overflow-wrap: anywhere;
      }
      ul {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .starter {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
        width: 100%;
        min-height: 44px;
        padding: 9px 14px;
        border: 1px solid var(--_line);
        border-radius: calc(var(--_radius) * 1.2);
        background: var(--_surface);
        text-align: start;
        line-height: 1.4;
        transition:
          background-color var(--_duration) var(--_ease),
          border-color var(--_duration) var(--_ease);
      }
      .starter:hover {
        border-color: var(--_line-field);
        background: var(--_raised);
      }
      .starter svg {
        color: var(--_accent-text);
      }
      .words {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      small {
        display: block;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
    `,
  ];

  @property({ attribute: false }) panel: PanelConfig | undefined;

  override render(): unknown {
    const { panel } = this;
    if (!panel) return nothing;
    // text after a blank line is set in a quieter style
    const [title = '', ...more] = (panel.config.welcome || panel.words.t('welcome.title')).split(/\n\s*\n/);
    const who = disclosureText(panel.config.disclosure, panel.words);
    return html`<div part="welcome" dir="auto">
        <h3>${title}</h3>
        ${more.length > 0 ? html`<p class="more">${more.join('\n\n')}</p>` : nothing}
        ${who ? html`<p class="who" part="disclosure" dir="auto">${who}</p>` : nothing}
      </div>
      ${
        panel.starters.length > 0
          ? html`<ul aria-label=${panel.words.t('starters.label')}>
              ${panel.starters.map((starter) => this.renderStarter(starter))}
            </ul>`
          : nothing
      }`;
  }

  private renderStarter(starter: Starter): unknown {
    return html`<li>
      <button class="starter" part="starter" type="button" @click=${() => this.#ask(starter)}>
        <span class="words" dir="auto"
          >${starter.title}${starter.description ? html`<small>${starter.description}</small>` : nothing}</span
        >
        ${icon(nextIcon, 'directional')}
      </button>
    </li>`;
  }

  #ask({ title, prompt }: Starter): void {
    this.dispatchEvent(new PanelRequest({ kind: 'send', text: prompt ?? title }));
  }
}
