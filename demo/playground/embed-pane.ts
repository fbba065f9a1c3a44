import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { EmbeddedChatConfigResponse } from 'agent-chat/protocol';
import { codeView } from './code-view.ts';
import { foreignPage } from './foreign-page.ts';
import { PlaygroundElement } from './playground-element.ts';
import { extrasOf, tokenUrl } from './preview.ts';
import { client } from './service.ts';
import { elementSnippet, publishedConfig, scriptSnippet } from './snippet.ts';

const forms = { script: 'Script tag', element: 'Element', json: 'JSON' } as const;
type Form = keyof typeof forms;

type Publication =
  | { readonly status: 'none' | 'running' }
  | { readonly status: 'done'; readonly response: EmbeddedChatConfigResponse }
  | { readonly status: 'failed'; readonly reason: string };

/** What to paste for the settings chosen, and Publish. */
export class EmbedPane extends PlaygroundElement {
  @property({ attribute: false }) preview: Element | undefined;
  @state() private form: Form = 'script';
  @state() private publication: Publication = { status: 'none' };

  override render(): unknown {
    return html`
      <div class="pane-head">
        <h2>Embed</h2>
        <div class="choice" role="group" aria-label="Form of the snippet">
          ${Object.entries(forms).map(
            ([form, title]) =>
              html`<label>
                <input
                  type="radio"
                  name="snippet-form"
                  .checked=${form === this.form}
                  @change=${() => (this.form = form as Form) /* keys of the table */}
                /><span>${title}</span>
              </label>`,
          )}
        </div>
      </div>
      ${this.renderSnippet()} ${this.renderPublish()}
    `;
  }

  private renderSnippet(): unknown {
    const settings = this.settings;
    if (!settings) return nothing;
    const input = { source: `${location.origin}/agent-chat.js`, chosen: settings.chosen(), tokenUrl };
    switch (this.form) {
      case 'script':
        return html`${codeView(scriptSnippet(input), 'html', 'Script tag')}
          <p class="note">
            Enough on any page. <code>token-url</code> is an endpoint of your site that answers
            <code>{"token": "…"}</code> for the visitor who is signed in. Starters and header texts need the
            element.
          </p>`;
      case 'element':
        return html`${codeView(elementSnippet(input, this.preview && extrasOf(this.preview)), 'html', 'Element')}
          <p class="note">Where you decide the place yourself. The JSON has the API’s own shape.</p>`;
      case 'json':
        return html`${codeView(JSON.stringify(this.#config(), null, 2), 'json', 'Configuration')}
          <p class="note">
            The body of <code>PUT /v1/hub/agents/${settings.get('agent-id')}/embedded-chat-config</code>; it
            may also stand in the element as JSON.
          </p>`;
    }
  }

  private renderPublish(): TemplateResult {
    const running = this.publication.status === 'running';
    return html`
      <div class="pane-head sub">
        <h3>Publish</h3>
        <button
          class="button main"
          type="button"
          aria-disabled=${running}
          @click=${() => void this.#publish()}
        >
          ${running ? 'Publishing…' : 'Publish'}
        </button>
      </div>
      <p class="note">
        Stores this configuration for the agent. Pages whose script says <code>live-config</code> follow it,
        also when “Live” is switched off later.
      </p>
      <div class="outcome">
        <div aria-live="polite">${this.renderOutcome()}</div>
        ${this.renderReturned()}
      </div>
    `;
  }

  private renderOutcome(): unknown {
    const outcome = this.publication;
    if (outcome.status === 'failed') return html`<p class="notice bad">${outcome.reason}</p>`;
    if (outcome.status !== 'done') return nothing;
    const at = outcome.response.updated_at ? new Date(outcome.response.updated_at) : new Date();
    return html`<p class="notice good">
      Published at ${at.toLocaleTimeString()}. The service returned this script:
    </p>`;
  }

  /** Beside what is read aloud: a whole script is not to be listened to. */
  private renderReturned(): unknown {
    const outcome = this.publication;
    if (outcome.status !== 'done') return nothing;
    const script = outcome.response.script ?? '';
    const { href, isForeign } = foreignPage(script, new URL(location.href));
    return html`
      ${codeView(script, 'html', 'Returned script')}
      <p class="actions">
        <a class="button" href=${href} target="_blank" rel="noopener">
          Open a host page that uses it${isForeign ? ` (${new URL(href).host})` : ''}
        </a>
      </p>
    `;
  }

  #config() {
    return publishedConfig((attribute) => this.settings?.accepted(attribute) ?? '');
  }

  async #publish(): Promise<void> {
    if (this.publication.status === 'running') return;
    this.publication = { status: 'running' };
    try {
      const agent = this.settings?.get('agent-id') || 'demo';
      this.publication = {
        status: 'done',
        response: await client.putEmbeddedChatConfig(agent, this.#config()),
      };
    } catch (cause) {
      this.publication = { status: 'failed', reason: cause instanceof Error ? cause.message : String(cause) };
    }
  }
}
EmbedPane.register('playground-embed');
