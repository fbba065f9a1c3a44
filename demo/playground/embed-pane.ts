import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { EmbeddedChatConfigResponse } from 'agent-chat/protocol';
import { codeView } from './code-view.ts';
import { foreignPage } from './foreign-page.ts';
import { frameworkSnippets } from './framework-snippets.ts';
import { lookCss, lookFields } from './look-fields.ts';
import { PlaygroundElement } from './playground-element.ts';
import { extrasOf, tokenUrl } from './preview.ts';
import { client } from './service.ts';
import {
  containerOf,
  defaultContainer,
  elementSnippet,
  isInPage,
  pageSettings,
  publishedConfig,
  publishedSnippet,
  scriptSnippet,
  type SnippetInput,
} from './snippet.ts';

const forms = {
  script: 'Script tag',
  element: 'Element',
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  json: 'JSON',
} as const;
type Form = keyof typeof forms;

/** The one line that a production page has to change. */
const aboutToken = html`<p class="note">
  Chats as it is on any page served from this machine. For your site, point <code>token-url</code> at an
  endpoint of yours that answers <code>{"token": "…"}</code> for the visitor who is signed in.
</p>`;

/** Documents are attached by a function, which no snippet can contain. */
const aboutDocuments = html`<p class="note">
  Attaching documents needs a function of your page that stores a file and returns its id, a UUID:
  <code>chat.uploadDocument = async (file) => id</code>
  (<a href="/docs/settings.html#properties">Settings</a>). Without it, the chat has no paperclip.
</p>`;

function aboutContainer(id: string): TemplateResult {
  return html`<p class="note">
    The chat stands in <code>&lt;div id="${id}"&gt;</code>: put that where the chat belongs.
  </p>`;
}

/** Where a chat with its own element is placed in the page. */
function aboutPlace({ chosen }: SnippetInput): unknown {
  const id = containerOf(chosen);
  if (id) return aboutContainer(id);
  if (!isInPage(chosen)) return nothing;
  return html`<p class="note">
    The chat stands where you put the element. The script without the element puts it at the end of the page.
  </p>`;
}

type Publication =
  | { readonly status: 'none' | 'running' }
  | { readonly status: 'done'; readonly response: EmbeddedChatConfigResponse }
  | { readonly status: 'failed'; readonly reason: string };

/** The snippet for the chosen settings, and Publish. */
export class EmbedPane extends PlaygroundElement {
  @property({ attribute: false }) preview: Element | undefined;
  @state() private form: Form = 'script';
  @state() private publication: Publication = { status: 'none' };

  override render(): unknown {
    return html`
      <div class="pane-head"><h2>Embed</h2></div>
      <div class="choice" role="group" aria-label="Form of the snippet">
        ${Object.entries(forms).map(
          ([form, title]) =>
            html`<label>
              <input
                type="radio"
                name="snippet-form"
                .checked=${live(form === this.form)}
                @change=${() => (this.form = form as Form) /* keys of the table */}
              /><span>${title}</span>
            </label>`,
        )}
      </div>
      ${this.settings?.get('documents') === 'true' ? aboutDocuments : nothing} ${this.renderSnippet()}
      ${this.renderPublish()}
    `;
  }

  private renderSnippet(): unknown {
    const settings = this.settings;
    if (!settings) return nothing;
    const input = this.#input();
    switch (this.form) {
      case 'script':
        return html`<p class="note">
            Without the logo, subtitle, disclaimer and starters of the preview: those need the
            ${this.renderElementLink()}.
          </p>
          ${codeView(scriptSnippet(input), 'html', 'Script tag')} ${aboutToken}
          ${isInPage(input.chosen) ? aboutContainer(containerOf(input.chosen) ?? defaultContainer) : nothing}`;
      case 'element':
        return html`${codeView(elementSnippet(input), 'html', 'Element')} ${aboutToken} ${aboutPlace(input)}
          <p class="note">
            Write your own texts into the JSON.
            <a href="/docs/settings.html#properties">Settings</a> lists everything that can stand there.
          </p>`;
      case 'react':
      case 'vue':
      case 'svelte':
        return html`${codeView(frameworkSnippets[this.form](input), 'html', forms[this.form])}
          ${this.renderCss(input)} ${aboutToken}
          <p class="note">
            Needs the package <code>agent-chat</code>:
            <a href="/docs/embed.html#from-npm">how to install it</a>.${
              this.form === 'vue'
                ? html` Tell Vue’s compiler that the tag is an element:
                    <code>isCustomElement: (tag) => tag === 'agent-chat'</code>.`
                : nothing
            }
          </p>`;
      case 'json':
        return html`<p class="note">
            The layout only, as Publish stores it. Name, greeting, placeholder, logo and starters belong to
            the page: the ${this.renderElementLink()} has them.
          </p>
          ${codeView(JSON.stringify(this.#config(), null, 2), 'json', 'Configuration')}
          ${this.renderCss(this.#input())}
          <p class="note">
            The body of <code>PUT /v1/hub/agents/${this.#agent()}/embedded-chat-config</code>; it may also
            stand in the element as JSON.
          </p>`;
    }
  }

  private renderElementLink(): TemplateResult {
    return html`<button class="link" type="button" @click=${() => (this.form = 'element')}>element</button>`;
  }

  /** The look's rules, where the snippet is not HTML. */
  private renderCss({ css }: SnippetInput): unknown {
    if (!css) return nothing;
    return html`<p class="note">The look is CSS, for the style sheet of your page:</p>
      ${codeView(css, 'css', 'Style sheet')}`;
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
        Stores this configuration for the agent. Pages with <code>live-config</code> follow it, open ones too,
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
    return html`<p class="notice good">Published at ${at.toLocaleTimeString()}.</p>`;
  }

  /** outside the live region: a whole script must not be announced */
  private renderReturned(): unknown {
    const outcome = this.publication;
    if (outcome.status !== 'done') return nothing;
    const script = outcome.response.script ?? '';
    const input = this.#input();
    const settings = Object.fromEntries([...input.chosen].filter(([name]) => pageSettings.includes(name)));
    const look = Object.fromEntries(
      ['accent-color', ...lookFields.map(({ attribute }) => attribute)].map((name) => [
        name,
        this.settings?.accepted(name) ?? '',
      ]),
    );
    const { href, isForeign } = foreignPage(
      { script, settings, extras: input.extras ?? {}, look },
      new URL(location.href),
    );
    return html`
      ${codeView(publishedSnippet(script, input), 'html', 'Published script')}
      <p class="note">
        The service returned the script. It carries the layout, and neither a token address nor texts: the
        element below it adds those of this page.
      </p>
      ${aboutPlace(input)} ${aboutToken}
      <p class="actions">
        <a class="button" href=${href} target="_blank" rel="noopener">
          Open a host page that uses it${isForeign ? ` (${new URL(href).host})` : ''}
        </a>
      </p>
    `;
  }

  #input(): SnippetInput {
    return {
      source: `${location.origin}/agent-chat.js`,
      chosen: this.settings?.chosen() ?? new Map(),
      tokenUrl: new URL(tokenUrl, location.origin).href,
      extras: this.preview && this.settings ? extrasOf(this.preview, this.settings) : {},
      css: lookCss((name) => this.settings?.accepted(name) ?? ''),
    };
  }

  #agent(): string {
    return this.settings?.get('agent-id') || 'demo';
  }

  #config() {
    return publishedConfig((attribute) => this.settings?.accepted(attribute) ?? '');
  }

  async #publish(): Promise<void> {
    if (this.publication.status === 'running') return;
    this.publication = { status: 'running' };
    try {
      this.publication = {
        status: 'done',
        response: await client.putEmbeddedChatConfig(this.#agent(), this.#config()),
      };
    } catch (cause) {
      this.publication = { status: 'failed', reason: cause instanceof Error ? cause.message : String(cause) };
    }
  }
}
EmbedPane.register('playground-embed');
