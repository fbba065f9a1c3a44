import { css, html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { loadModule } from '../platform/load-module.ts';
import { safeLinkUrl } from '../platform/url-policy.ts';
import { linkIcon } from '../theme/item-icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderExternalLink, withRealHost } from './content-templates.ts';
import { icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { asObject, firstText, list, text, type Fields } from './read-item.ts';
import { formatKey } from './format-value.ts';

type Tone = 'good' | 'waiting' | 'bad';

/**
 * Whether an app or account is connected to the agent: a badge, a message, and a button to connect it. A link goes to
 * the agent's address; without one, the page connects it, or a line says where else that can be done.
 * @source interface, "Additional properties" (`svc_connection_status`)
 *
 * @summary The state of a connection.
 * @element agent-chat-connection
 * @fires {ItemActionEvent} agent-chat-item-action - The visitor wants to connect the app.
 * @csspart item-badge - Connected, pending, or in need of attention.
 */
export class ConnectionElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--_space-2);
      }

      .line > svg {
        color: var(--_muted);
      }

      .line .title {
        flex: 1;
        min-inline-size: 6em;
      }

      ul {
        display: grid;
        gap: var(--_space-2);
      }
    `,
  ];

  /** What to do where no page connects the app. */
  @state() private advice = '';

  protected override renderContent(fields: Fields): unknown {
    const apps = ['apps', 'disconnected_apps', 'connections', 'items']
      .map((key) => list(fields[key], 50))
      .find((entries) => entries.length > 0);
    const status = firstText(fields['connection_status'], fields['status']);
    const message = firstText(
      fields['connection_message'],
      fields['message'],
      fields['text'],
      fields['description'],
    );
    const tone = toneOf(status);
    return html`<section class="frame" part="item-frame">
      <div class="line">
        ${icon(linkIcon)}
        <p class="title" part="item-title" dir="auto">
          ${firstText(fields['title']) || this.t('connection.title')}
        </p>
        ${apps && !status ? nothing : this.renderBadge(status)}
      </div>
      ${message ? html`<p class="description" part="item-description" dir="auto">${message}</p>` : nothing}
      ${
        apps
          ? html`<ul>
              ${apps.map((app, index) => this.renderApp(app, index + 1))}
            </ul>`
          : tone === 'bad'
            ? html`<div class="actions" part="item-actions">${this.renderWay(fields, nameOf(fields))}</div>`
            : nothing
      }
      ${this.advice ? html`<p class="description" part="item-notice">${this.advice}</p>` : nothing}
    </section>`;
  }

  private renderBadge(status: string): unknown {
    const tone = toneOf(status);
    return html`<span class="badge ${tone}" part="item-badge"> ${this.t(`connection.${tone}`)} </span>`;
  }

  private renderApp(app: unknown, number: number): unknown {
    const fields = asObject(app);
    const name = text(app) || nameOf(fields) || this.t('connection.app', { number });
    const status = firstText(fields['connection_status'], fields['status']);
    return html`<li class="line">
      <span class="title" dir="auto">${name}</span>
      ${this.renderBadge(status)} ${toneOf(status) === 'bad' ? this.renderWay(fields, name) : nothing}
    </li>`;
  }

  /** The button that connects an app. */
  private renderWay(fields: Fields, name: string): unknown {
    const url = ['url', 'link', 'connect_url', 'auth_url']
      .map((key) => fields[key])
      .find((value) => safeLinkUrl(value));
    const label = name
      ? this.t('connection.action', { name: withRealHost(name, url) })
      : this.t('connect.action');
    if (url) return renderExternalLink(this.context.words, url, label, 'button');
    return html`<button class="button" part="item-button" @click=${() => void this.#connect(fields)}>
      ${label}
    </button>`;
  }

  async #connect(fields: Fields): Promise<void> {
    if (!this.sendAction('connect_app', fields)) return;
    const module = await loadModule(this, 'connections', () => import('../i18n/extra-strings.ts'));
    if (!module) return;
    await module.addExtraStrings(this.context.words);
    this.advice = this.t('connection.unhandled');
    this.announce(this.advice);
  }
}

/** An id is a name only if it consists of words: `google_calendar`. */
function nameOf(fields: Fields): string {
  const id = text(fields['id']);
  const words = /^\p{L}+(?:[_-]\p{L}+)*$/u.test(id) ? formatKey(id) : '';
  return firstText(fields['name'], fields['title'], fields['app_name'], words);
}

function toneOf(status: string): Tone {
  const name = status
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (['connected', 'success', 'ok'].includes(name)) return 'good';
  return ['pending', 'connecting', 'in_progress'].includes(name) ? 'waiting' : 'bad';
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-connection': ConnectionElement;
  }
}
