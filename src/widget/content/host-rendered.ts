import { html, LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { ConversationItem, ConversationMessage } from '../../conversation/conversation.ts';
import { shallowArrayEquals } from '../../protocol/json.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { formAnswer, textAnswer } from '../../session/answer-message.ts';
import type { HostRenderContext, HostRenderer } from '../config/host-options.ts';
import type { ItemContext } from './item-context.ts';
import { ItemAnswerEvent } from './item-events.ts';

/**
 * Placeholder for content of a page's renderer. The content is in the light DOM of the outermost element, where the
 * page's CSS and scripts apply. Slots show it here, through all shadow roots in between.
 *
 * The components in between need no support for this: each shadow host up to the outermost element gets a `<slot
 * name=… slot=…>` child that forwards the content.
 *
 * @summary Content rendered by the page, in light DOM.
 * @element agent-chat-host-rendered
 * @fires {ItemAnswerEvent} agent-chat-item-answer - The renderer called `respond`.
 * @slot item-… - The renderer's content; named by message and item.
 */
export class HostRenderedElement extends LitElement {
  @property({ attribute: false }) item!: ConversationItem;
  @property({ attribute: false }) context!: ItemContext;
  /** Called when the renderer throws: it is not called again, and the item is rendered without it. */
  @property({ attribute: false }) onFailure: ((renderer: HostRenderer) => void) | undefined;
  #container: SlottedContainer | undefined;
  /** Arguments of the renderer's last call. */
  #drawn: readonly unknown[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate('item');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    const container = this.#container;
    // A move disconnects and connects at once; clean up only after a real removal.
    queueMicrotask(() => {
      if (this.isConnected || !container) return;
      container.release();
      this.#container = undefined;
    });
  }

  override render(): unknown {
    return html`<slot name=${slotFor(this.context.message.id, this.item.id)}></slot>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.isConnected || (!changed.has('item') && !changed.has('context'))) return;
    const renderer = this.context.hostRenderers?.get(this.item.type);
    if (!renderer) return;
    const name = slotFor(this.context.message.id, this.item.id);
    if (this.#container?.name !== name || !this.#container.reaches(this)) {
      this.#container?.release();
      this.#container = new SlottedContainer(this, name);
      this.#drawn = [];
    }
    const { active, answer, words } = this.context;
    const drawn = [renderer, this.item.source, active, answer, words.locale];
    // keep the visitor's input inside when only the theme changes
    if (shallowArrayEquals(drawn, this.#drawn)) return;
    this.#drawn = drawn;
    try {
      this.#container.fill(renderer, this.item, this.#hostContext());
    } catch (error) {
      this.#fail(renderer, error);
    }
  }

  /**
   * Rethrows the renderer's error asynchronously: the page's error monitoring sees it, and the conversation goes
   * on.
   */
  #fail(renderer: HostRenderer, error: unknown): void {
    reportError(error);
    const reason = String(error).slice(0, 200);
    diagnose(
      this,
      'renderer-failed',
      `The renderer registered for "${this.item.type}" threw (${reason}); the item is shown without it. Fix the renderer.`,
    );
    this.onFailure?.(renderer);
  }

  #hostContext(): HostRenderContext {
    const { message, words, active, answer } = this.context;
    return {
      message,
      locale: words.locale,
      active,
      answer,
      respond: (data) => this.#respond(message, data),
    };
  }

  #respond(message: ConversationMessage, data: unknown): void {
    const parent = message.messageId === undefined ? {} : { parent_message_id: message.messageId };
    const spoken = typeof data === 'string';
    this.dispatchEvent(
      new ItemAnswerEvent({
        messageId: message.id,
        itemId: this.item.id,
        answer: { action: spoken ? 'choose' : 'submit', data },
        message: {
          role: 'user',
          ...parent,
          ...(spoken ? textAnswer(data, data) : formAnswer(this.item, 'submit', data)),
        },
      }),
    );
  }
}

/** Name of the slot for an item that the page renders. */
function slotFor(messageId: string, itemId: string): string {
  return `item-${messageId}-${itemId}`;
}

/** A container in the page's light DOM, and the slots that lead to it. */
class SlottedContainer {
  readonly name: string;
  readonly #outermost: Element | undefined;
  readonly #container: HTMLElement;
  readonly #relays: readonly HTMLSlotElement[];
  #cleanUp: (() => void) | undefined;

  constructor(from: Element, name: string) {
    this.name = name;
    const hosts = shadowHosts(from);
    this.#outermost = hosts.at(-1);
    this.#relays = [from, ...hosts.slice(0, -1)].map((host) => {
      const relay = document.createElement('slot');
      relay.name = name;
      relay.slot = name;
      host.append(relay);
      return relay;
    });
    this.#container = document.createElement('div');
    this.#container.slot = name;
    this.#outermost?.append(this.#container);
  }

  /** Whether the element still has the same outermost host. */
  reaches(from: Element): boolean {
    return shadowHosts(from).at(-1) === this.#outermost && this.#container.isConnected;
  }

  /**
   * Calls the renderer.
   * @throws whatever the renderer throws
   */
  fill(renderer: HostRenderer, item: ConversationItem, context: HostRenderContext): void {
    this.#clean();
    const result = renderer(item.source, this.#container, context);
    if (result instanceof Node) this.#container.replaceChildren(result);
    else if (typeof result === 'string') this.#container.textContent = result;
    else if (typeof result === 'function') this.#cleanUp = () => void Reflect.apply(result, undefined, []);
  }

  release(): void {
    this.#clean();
    this.#container.remove();
    for (const relay of this.#relays) relay.remove();
  }

  #clean(): void {
    try {
      this.#cleanUp?.();
    } catch (error) {
      reportError(error);
    }
    this.#cleanUp = undefined;
  }
}

/** The shadow hosts around an element, innermost first. */
function shadowHosts(from: Element): readonly Element[] {
  const hosts: Element[] = [];
  for (let root = from.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
    hosts.push(root.host);
    if (root.host.localName === 'agent-chat') break;
  }
  return hosts;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-host-rendered': HostRenderedElement;
  }
}
