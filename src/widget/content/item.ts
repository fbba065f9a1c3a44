import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ConversationItem } from '../../conversation/conversation.ts';
import { addContentStrings } from '../i18n/content-strings.ts';
import { defineElement } from '../platform/define-element.ts';
import { loadModule } from '../platform/load-module.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import type { ContentElement } from './content-element.ts';
import { exportedContentParts } from '../theme/css-parts.ts';
import type { HostRenderer } from '../config/host-options.ts';
import type { ItemContext } from './item-context.ts';
import { HostRenderedElement } from './host-rendered.ts';
import { asObject } from './read-item.ts';
import { rowOf, type ContentRow } from './registry.ts';

/**
 * The wrapper around a content item. Loads the element for its type, reserves its height meanwhile, and uses the
 * page's renderer if one is registered.
 *
 * @summary One content item of any type.
 * @element agent-chat-item
 * @attr loading - Set until the item and everything in it are rendered.
 * @attr holding - Set while a `pause` delays what follows it.
 * @csspart item-notice - Shown when the element could not be loaded.
 */
export class ItemElement extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }

      /* its title stands below the picture, whose size is not known yet */
      :host([loading]) agent-chat-image {
        visibility: hidden;
      }

      .room {
        border-radius: var(--_radius);
        background: var(--_raised);
        /* delayed, so that fast loads do not flash */
        animation: wait var(--_duration) 0.2s backwards;
      }

      @keyframes wait {
        from {
          opacity: 0;
        }
      }

      .failed {
        display: flex;
        align-items: center;
        gap: var(--_space-3);
        color: var(--_muted);
        font-size: var(--_size-small);
      }
    `,
  ];

  @property({ attribute: false }) item!: ConversationItem;
  @property({ attribute: false }) context!: ItemContext;
  @state() private failed = false;
  /** The page's renderer that threw. */
  @state() private failedRenderer: HostRenderer | undefined;
  /** Resolves when the item and everything in it are rendered, or cannot be. */
  ready: Promise<void> = Promise.resolve();
  #row: ContentRow | undefined;
  #element: ContentElement | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.#isReady) return;
    if (!this.#hosted) this.#use(rowOf(this.#decision ?? this.item.type));
    if (this.#element && (changed.has('item') || changed.has('context'))) {
      this.#element.item = this.item;
      this.#element.context = this.context;
    }
  }

  override render(): unknown {
    if (!this.#isReady) return nothing;
    if (this.#hosted) return this.renderForHost();
    if (this.failed) return this.renderFailure();
    return this.#element ?? this.renderRoom();
  }

  private renderForHost(): unknown {
    defineElement('agent-chat-host-rendered', HostRenderedElement);
    return html`<agent-chat-host-rendered
      .item=${this.item}
      .context=${this.context}
      .onFailure=${(renderer: HostRenderer) => (this.failedRenderer = renderer)}
    ></agent-chat-host-rendered>`;
  }

  private renderRoom(): unknown {
    const height = this.#row?.height ?? 0;
    if (!height) return nothing;
    return html`<div
      class="room"
      role="img"
      aria-label=${this.context.words.t('content.loading')}
      .style=${`block-size: ${height}px`}
    ></div>`;
  }

  private renderFailure(): unknown {
    const { words } = this.context;
    return html`<div class="failed" part="item-notice">
      <span>${words.t('content.failed')}</span>
      <button class="button" @click=${this.#retry}>${words.t('notice.retry')}</button>
    </div>`;
  }

  get #isReady(): boolean {
    return Boolean(this.item as unknown) && Boolean(this.context as unknown);
  }

  get #hosted(): boolean {
    const renderer = this.context.hostRenderers?.get(this.item.type);
    return renderer !== undefined && renderer !== this.failedRenderer && !this.#decision;
  }

  /** Decisions are never left to a page's renderer, which may not know what they ask. */
  get #decision(): 'svc_tool_approval' | 'svc_page_tool' | undefined {
    const { type, source } = this.item;
    if (source.sub_type === 'tool_approval' && (type === 'forms' || type === 'form'))
      return 'svc_tool_approval';
    const isCall = type === 'user_defined' && asObject(source['user_defined'])['type'] === 'page_tool_call';
    return isCall ? 'svc_page_tool' : undefined;
  }

  #use(row: ContentRow): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#element = undefined;
    this.failed = false;
    if (customElements.get(row.tag)) this.#make(row);
    this.ready = this.#arrive(row);
  }

  async #arrive(row: ContentRow): Promise<void> {
    this.toggleAttribute('loading', true);
    const stringsAdded = addContentStrings(this.context.words); // fetched beside the element's class
    if (!this.#element) await this.#fetch(row);
    await stringsAdded;
    const element = this.#element;
    await element?.updateComplete;
    const inner = element?.shadowRoot?.querySelectorAll('agent-chat-item') ?? [];
    await Promise.all([...inner].map((item) => item.ready));
    await element?.settled;
    if (row === this.#row) this.removeAttribute('loading');
  }

  async #fetch(row: ContentRow): Promise<void> {
    const element = await loadModule(this, `<${row.tag}>`, row.load);
    if (element) defineElement(row.tag, element);
    if (row !== this.#row) return;
    if (!element) {
      this.failed = true;
      return;
    }
    this.#make(row);
    this.requestUpdate();
  }

  #make(row: ContentRow): void {
    // each row pairs a tag with the class of a content element
    const element = document.createElement(row.tag) as ContentElement;
    element.setAttribute('exportparts', exportedContentParts);
    element.item = this.item;
    element.context = this.context;
    this.#element = element;
  }

  #retry(): void {
    const row = this.#row;
    this.failed = false;
    if (row) this.ready = this.#arrive(row);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-item': ItemElement;
  }
}
