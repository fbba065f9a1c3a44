import { html, LitElement, noChange, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Message } from '../../protocol/index.ts';
import type { ConversationItem, ItemAnswer } from '../../conversation/conversation.ts';
import { answerTo } from '../../conversation/visitor-actions.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { AnnounceEvent } from '../events/panel-events.ts';
import { addContentStrings } from '../i18n/content-strings.ts';
import type { StringKey } from '../i18n/strings.ts';
import type { ItemContext } from './item-context.ts';
import { ItemActionEvent, ItemAnswerEvent } from './item-events.ts';
import { itemFields, type Fields } from './read-item.ts';
import { renderItem } from './render-item.ts';

/** Maximum nesting of items; deeper is a mistake or an attack. */
const maxDepth = 6;
/**
 * Items rendered inside one item of a message, at all depths together, before "Show more". Nested lists multiply:
 * thirty in thirty in thirty would freeze the page.
 */
const maxInnerItems = 1000;
/** Entries of one list rendered before "Show more". */
const initialEntries = 200;
/** Number of entries that "Show more" adds. */
const entriesPerPage = 100;

/**
 * Base class of the elements for content items. It takes the item and its context, reads unvalidated fields safely,
 * and dispatches answers and actions. An error in one item shows a notice in its place, is reported as a
 * diagnostic, and does not affect other items.
 *
 * @fires {ItemAnswerEvent} agent-chat-item-answer - The visitor answered.
 * @fires {ItemActionEvent} agent-chat-item-action - A button requests an action of the page.
 */
export abstract class ContentElement extends LitElement {
  @property({ attribute: false }) item!: ConversationItem;
  @property({ attribute: false }) context!: ItemContext;
  /** Items beyond the limit that the visitor asked for. */
  @state() protected extraEntries = 0;

  override render(): unknown {
    // another copy of the script may create the element before it sets these
    if (!(this.item as unknown) || !(this.context as unknown)) return nothing;
    const stringsAdded = addContentStrings(this.context.words);
    if (stringsAdded) {
      void stringsAdded.then(() => this.requestUpdate());
      return noChange; // keep the text in the former language until then
    }
    try {
      return this.renderContent(itemFields(this.item));
    } catch (error) {
      const reason = String(error).slice(0, 200);
      diagnose(
        this,
        'item-failed',
        `An item of the type "${this.item.type}" could not be rendered (${reason}). Check what the agent sends.`,
      );
      return this.t('content.failed');
    }
  }

  /** Resolves when the rendered item has its size. */
  get settled(): Promise<unknown> {
    return Promise.resolve();
  }

  /** Renders the item. */
  protected abstract renderContent(fields: Fields): unknown;

  protected t(key: StringKey, values?: Readonly<Record<string, string | number>>): string {
    return this.context.words.t(key, values);
  }

  /** Announces a change that is otherwise only visible. */
  protected announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  /** Whether the item can be answered now and has no answer yet. */
  protected get answerable(): boolean {
    return this.context.active && !this.context.answer;
  }

  /** Whether the visitor went on without answering. */
  protected get closed(): boolean {
    return Boolean(this.context.closed) && !this.context.answer;
  }

  /** A note below the question that it was closed without an answer. */
  protected renderClosedNote(): unknown {
    return this.closed
      ? html`<p class="description" part="item-description">${this.t('content.closed')}</p>`
      : nothing;
  }

  /** Dispatches the answer, with the message for the agent. */
  protected sendAnswer(answer: ItemAnswer, message?: Partial<Message>, onRejected?: () => void): void {
    this.dispatchEvent(
      new ItemAnswerEvent({
        messageId: this.context.message.id,
        itemId: this.item.id,
        answer,
        message: message && { role: 'user', ...this.#parent(), ...message },
        onRejected,
      }),
    );
  }

  /**
   * Requests an action of the page.
   * @returns false when the page handles it (`preventDefault`)
   */
  protected sendAction(name: string, detail?: unknown): boolean {
    return this.dispatchEvent(
      new ItemActionEvent({
        name,
        messageId: this.context.message.id,
        itemId: this.item.id,
        item: this.item.source,
        detail,
      }),
    );
  }

  /**
   * Renders nested items, some at a time if there are many.
   * @param parts number of lists that share the limit. Default 1.
   */
  protected renderInner(items: readonly ConversationItem[], parts = 1): readonly unknown[] {
    const depth = (this.context.depth ?? 0) + 1;
    if (depth > maxDepth) return [this.t('content.unknown')];
    const { message } = this.context;
    const room =
      Math.floor((this.context.room ?? Math.max(maxInnerItems, parts)) / parts) + this.extraEntries;
    const { shown, more } = this.someOf(items, Math.min(room, initialEntries + this.extraEntries));
    const inside = { ...this.context, depth, room: Math.max(0, Math.floor(room / shown.length) - 1) };
    const rendered = shown.map((item) => renderItem(item, { ...inside, answer: answerTo(message, item.id) }));
    return more === nothing ? rendered : [...rendered, more];
  }

  /**
   * Renders the first entries and a button that shows more.
   * @param limit number of entries rendered. Default 200, plus those that the visitor asked for.
   */
  protected someOf<Value>(
    entries: readonly Value[],
    limit = initialEntries + this.extraEntries,
  ): { readonly shown: readonly Value[]; readonly more: unknown } {
    const left = entries.length - limit;
    if (left <= 0) return { shown: entries, more: nothing };
    const more = html`<button class="button" @click=${() => (this.extraEntries += entriesPerPage)}>
      ${this.t('content.more', { count: Math.min(left, entriesPerPage) })}
    </button>`;
    return { shown: entries.slice(0, limit), more };
  }

  #parent(): Partial<Message> {
    const id = this.context.message.messageId;
    return id === undefined ? {} : { parent_message_id: id };
  }
}
