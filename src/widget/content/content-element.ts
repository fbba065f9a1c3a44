import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Message } from '../../protocol/index.ts';
import type { ConversationItem, ItemAnswer } from '../../conversation/conversation.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { AnnounceEvent } from '../events/announce-event.ts';
import type { StringKey } from '../i18n/strings.ts';
import type { ItemContext } from './item-context.ts';
import { ItemActionEvent, ItemAnswerEvent } from './item-events.ts';
import { itemFields, type Fields } from './read-item.ts';
import { renderItem } from './render-item.ts';

/** Cards in cards in cards: deeper is a mistake or an attack. */
const deepest = 6;
/** Items within one of a message, at whatever depth, before the visitor asks for more: thirty in thirty in thirty freeze a page. */
const mostInside = 1000;
/** Entries of one list before the visitor asks for more. */
const mostInList = 200;
/** How many more each time. */
const moreAtOnce = 100;

/**
 * What every content item's element is: it takes the item and its context, reads the open fields tolerantly, and
 * sends requests up. A fault in one item shows a line in its place, is told as a diagnostic, and touches nothing else.
 *
 * @fires {ItemAnswerEvent} agent-chat-item-answer - The visitor answered.
 * @fires {ItemActionEvent} agent-chat-item-action - A button asks the page for something.
 */
export abstract class ContentElement extends LitElement {
  @property({ attribute: false }) item!: ConversationItem;
  @property({ attribute: false }) context!: ItemContext;
  /** Items beyond the bound that the visitor asked for. */
  @state() protected asked = 0;

  override render(): unknown {
    // An element of another copy of the script may be made before it is given anything.
    if (!(this.item as unknown) || !(this.context as unknown)) return nothing;
    try {
      return this.renderContent(itemFields(this.item));
    } catch (fault) {
      const reason = String(fault).slice(0, 200);
      diagnose(
        this,
        'item-failed',
        `An item of the type "${this.item.type}" could not be drawn (${reason}). Check what the agent sends.`,
      );
      return this.say('content.failed');
    }
  }

  /** The item's own template. */
  protected abstract renderContent(fields: Fields): unknown;

  protected say(key: StringKey, values?: Readonly<Record<string, string | number>>): string {
    return this.context.words.t(key, values);
  }

  /** Has the panel's one live region say what is else only seen. */
  protected announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  /** Whether the visitor may answer: welcome now, and not answered yet. */
  protected get answerable(): boolean {
    return this.context.active && !this.context.answer;
  }

  /** Whether the visitor went on without an answer. */
  protected get closed(): boolean {
    return Boolean(this.context.closed) && !this.context.answer;
  }

  /** Says so, under what was asked. */
  protected renderClosedNote(): unknown {
    return this.closed
      ? html`<p class="description" part="item-description">${this.say('content.closed')}</p>`
      : nothing;
  }

  /** Sends the answer up, with the message that tells the agent. */
  protected sendAnswer(answer: ItemAnswer, message?: Partial<Message>): void {
    this.dispatchEvent(
      new ItemAnswerEvent({
        messageId: this.context.message.id,
        itemId: this.item.id,
        answer,
        message: message && { role: 'user', ...this.#parent(), ...message },
      }),
    );
  }

  /** Asks the page for something. False when the page took it (`preventDefault`). */
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
   * Items inside this one, with the context they are shown in; a flood of them bit by bit.
   * @param parts Among how many such lists the room for items is shared. Default 1.
   */
  protected renderInner(items: readonly ConversationItem[], parts = 1): readonly unknown[] {
    const depth = (this.context.depth ?? 0) + 1;
    if (depth > deepest) return [this.say('content.unknown')];
    const { answers } = this.context.message;
    const room = Math.floor((this.context.room ?? Math.max(mostInside, parts)) / parts) + this.asked;
    const { shown, more } = this.someOf(items, Math.min(room, mostInList + this.asked));
    const inside = { ...this.context, depth, room: Math.max(0, Math.floor(room / shown.length) - 1) };
    const rendered = shown.map((item) => renderItem(item, { ...inside, answer: answers[item.id] }));
    return more === nothing ? rendered : [...rendered, more];
  }

  /**
   * A flood of entries bit by bit: those that are shown, and the button that shows more of them.
   * @param most How many are shown. Default 200, and those that were asked for.
   */
  protected someOf<Value>(
    entries: readonly Value[],
    most = mostInList + this.asked,
  ): { readonly shown: readonly Value[]; readonly more: unknown } {
    const left = entries.length - most;
    if (left <= 0) return { shown: entries, more: nothing };
    const more = html`<button class="button" @click=${() => (this.asked += moreAtOnce)}>
      ${this.say('content.more', { count: Math.min(left, moreAtOnce) })}
    </button>`;
    return { shown: entries.slice(0, most), more };
  }

  #parent(): Partial<Message> {
    const id = this.context.message.messageId;
    return id === undefined ? {} : { parent_message_id: id };
  }
}

/**
 * The message for an answer in words.
 * @param value What the agent is told.
 * @param label What the visitor sees of it; left out when it is the same.
 */
export function spokenAnswer(value: string, label: string): Partial<Message> {
  return {
    content: [{ response_type: 'text', text: value }],
    ...(label && label !== value ? { message_state: { input: { display_text: label } } } : {}),
  };
}
