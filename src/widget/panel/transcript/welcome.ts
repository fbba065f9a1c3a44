import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { PanelConfig } from '../../contexts.ts';
import type { Starter } from '../../config/host-options.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { icon, nextIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { disclosureText, greetingText } from '../../i18n/status-strings.ts';
import { avatarStyles, renderAvatar } from '../avatar.ts';
import { welcomeStyles } from './welcome.styles.ts';

const lastThread = new LazyElement('agent-chat-last-thread', () =>
  import('../threads/last-thread.ts').then((module) => module.LastThreadElement),
);

/**
 * The empty conversation: the avatar on the brand's colour, then the greeting and suggestions.
 *
 * @element agent-chat-welcome
 * @fires agent-chat-request - The visitor chose a suggestion
 * @csspart welcome
 * @csspart disclosure
 * @csspart starter
 */
export class WelcomeElement extends LitElement {
  static override styles = [sharedStyles, avatarStyles, welcomeStyles];

  @property({ attribute: false }) panel!: PanelConfig;
  /** True when the service lists the visitor's conversations. */
  @property({ type: Boolean }) lists = false;

  override render(): unknown {
    const { panel } = this;
    const { config, words } = panel;
    const greeting = greetingText(new Date(), words);
    // text after a blank line is set in a quieter style
    const [title = '', ...paragraphs] = (config.welcome || `{greeting}\n${words.t('welcome.title')}`)
      .replaceAll('{greeting}', greeting)
      .split(/\n\s*\n/);
    const disclosure = disclosureText(config.disclosure, words);
    return html`<div class="greeting" part="welcome">
        ${renderAvatar(panel)}
        <h3 dir="auto">${title}</h3>
        ${paragraphs.length > 0 ? html`<p dir="auto">${paragraphs.join('\n\n')}</p>` : nothing}
        ${disclosure ? html`<p class="who" part="disclosure" dir="auto">${disclosure}</p>` : nothing}
      </div>
      ${this.lists ? this.renderContinue(panel) : nothing}
      ${
        panel.starters.length > 0
          ? html`<ul aria-label=${words.t('starters.label')}>
              ${panel.starters.map((starter) => this.renderStarter(starter))}
            </ul>`
          : nothing
      }`;
  }

  private renderContinue({ words, config }: PanelConfig): unknown {
    lastThread.request(this);
    return html`<agent-chat-last-thread .words=${words} .visitor=${config.visitor}></agent-chat-last-thread>`;
  }

  private renderStarter(starter: Starter): unknown {
    return html`<li>
      <button
        class="starter"
        part="starter"
        type="button"
        @click=${(event: MouseEvent) => this.#ask(event, starter)}
      >
        ${starter.icon ? html`<span class="icon" aria-hidden="true">${starterIcon(starter.icon)}</span>` : nothing}
        <span class="words" dir="auto"
          >${starter.title}${starter.description ? html`<small>${starter.description}</small>` : nothing}</span
        >
        ${icon(nextIcon, 'directional')}
      </button>
    </li>`;
  }

  #ask({ detail }: MouseEvent, { title, prompt }: Starter): void {
    if (detail > 1) return; // the second press of a double click
    this.dispatchEvent(new PanelRequest({ kind: 'send', text: prompt ?? title }));
  }
}

/** The path of a line icon, else text such as an emoji. */
function starterIcon(value: string): unknown {
  return /^[Mm]\s*-?[\d.]/.test(value) ? icon(value) : value;
}
