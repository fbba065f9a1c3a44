import type { ConversationMessage } from '../../conversation/conversation.ts';
import { createMessage } from '../../conversation/factories.ts';
import type { ContentItem, Message } from '../../protocol/index.ts';
import { promptOf } from '../../session/prompts.ts';
import { withDefaults } from '../../session/run-request.ts';
import type { ChatHost } from '../chat-host.ts';
import { MessageSubmitEvent } from '../events/chat-events.ts';
import type { SendOptions } from '../events/panel-request.ts';
import { readOption } from '../config/read-option.ts';
import type { Turn } from '../../conversation/turns.ts';

/** A message that waits for the page. */
interface HeldTurn extends Turn {
  readonly prompt: ConversationMessage;
  /** Ends the wait: `false` when the visitor cancels it, `undefined` when it is withdrawn. */
  readonly end: (outcome: false | undefined) => void;
}

/**
 * Dispatches `agent-chat-message-submit` before each message is sent. Messages that wait for the page's `waitUntil`
 * keep their order.
 */
export class SubmitGate {
  /** Messages that wait for the page, as the visitor sees them. */
  pending: readonly HeldTurn[] = [];
  readonly #host: ChatHost;
  readonly #onChange: () => void;
  #lastPassed: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** @param onChange called when `pending` changes */
  constructor(host: ChatHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /**
   * Resolves to the message that the page wants sent, with the host's defaults applied; `undefined` when the page
   * cancels it or the visitor cancels it while it waits.
   * @param options.isShown show the message while it waits
   * @param options.onRejected called when the page or the visitor cancels the message; not when it is withdrawn
   */
  async pass(
    message: Partial<Message>,
    { isShown = false, onRejected }: { isShown?: boolean; onRejected?: (() => void) | undefined } = {},
  ): Promise<Message | undefined> {
    const event = new MessageSubmitEvent(
      withDefaults(readOption(this.#host, 'messageDefaults'), { role: 'user', ...message }),
    );
    const isAccepted = this.#host.dispatchEvent(event);
    const waited = Promise.all(event.waitingFor).then(
      () => isAccepted,
      () => false,
    );
    let end!: HeldTurn['end'];
    const ended = new Promise<false | undefined>((resolve) => (end = resolve));
    // a message that the page never decides on delays no later one once it is withdrawn
    const passed = this.#lastPassed.then(() => Promise.race([ended, waited]));
    this.#lastPassed = passed;
    const waits = isShown && isAccepted && event.waitingFor.length + this.pending.length > 0;
    const id = waits && this.#postpone(message, end);
    const outcome = await passed;
    if (id) this.cancel(id);
    if (outcome) return event.message;
    if (outcome === false) onRejected?.();
    return undefined;
  }

  /**
   * Withdraws all waiting messages because their thread is left.
   * @returns the messages
   */
  withdraw(): readonly ConversationMessage[] {
    const { pending: held } = this;
    this.pending = [];
    for (const { end } of held) end(undefined);
    return held.map(({ prompt }) => prompt);
  }

  /** Cancels a waiting message; does nothing for other ids. */
  cancel(id: string): void {
    this.pending.find((turn) => turn.id === id)?.end(false);
    this.pending = this.pending.filter((turn) => turn.id !== id);
    this.#onChange();
  }

  #postpone(message: Partial<Message>, end: HeldTurn['end']): string {
    const id = `held-${(this.#count += 1)}`;
    const blank = createMessage({
      id,
      role: 'user',
      status: 'queued',
      runKey: undefined,
      createdAt: Date.now(),
    });
    const prompt = { ...blank, ...promptOf({ content: message.content ?? [], message }, id) };
    this.pending = [...this.pending, { id, prompt, run: undefined, answers: [], end }];
    this.#onChange();
    return id;
  }
}

/** Builds a message from content and send options. */
export function messageOf(content: ContentItem[], { mentions, documentIds }: SendOptions): Partial<Message> {
  return {
    content,
    ...(mentions?.length ? { mentions: [...mentions] } : {}),
    ...(documentIds?.length ? { document_ids: [...documentIds] } : {}),
  };
}
