import { randomUUID } from 'node:crypto';
import type { ContentItem, Message } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import type { RunEnd } from './run-end.ts';

/** A loose object from the wire. */
type Data = Readonly<Record<string, unknown>>;

/** A message to store, with its id. */
export interface AnsweredMessage {
  readonly id: string;
  readonly role: string;
  readonly message: Message;
}

/**
 * The answer of a run so far: folds deltas into items and steps into a history, so a message can be completed
 * or stored as partial. Also used on stored events after a crash.
 */
export class DraftAnswer {
  #messageId: string = randomUUID();
  #started = false;
  #items = new Map<string, ContentItem>();
  #steps: Data[] = [];
  #size = 0;
  readonly #parentId: string;

  constructor(parentMessageId: string) {
    this.#parentId = parentMessageId;
  }

  get messageId(): string {
    return this.#messageId;
  }

  /** Whether a message was started and not yet created. */
  get isOpen(): boolean {
    return this.#started || this.#items.size > 0;
  }

  /** Whether there is content that no `message.created` contains yet. */
  get hasDraft(): boolean {
    return this.#items.size > 0;
  }

  /** Characters of that content. */
  get size(): number {
    return this.#size;
  }

  /** Applies one event of the agent. */
  apply(event: string, data: Data): void {
    if (event === 'message.started') {
      this.#started = true;
      if (typeof data['message_id'] === 'string') this.#messageId = data['message_id'];
    } else if (event === 'message.delta') this.#takeDelta(data);
    else if (event === 'run.step.delta') this.#takeSteps(data);
  }

  /** Appends text to the first item, if it exists and is text. */
  appendText(text: string): boolean {
    const item = this.#items.get('1');
    if (typeof item?.['text'] !== 'string' || !isText(item)) return false;
    item['text'] += text;
    this.#size += text.length;
    return true;
  }

  /** Returns the message so far, to be sent as `message.created` or stored as partial. */
  draft(): AnsweredMessage {
    return {
      id: this.#messageId,
      role: 'assistant',
      message: {
        role: 'assistant',
        parent_message_id: this.#parentId,
        content: [...this.#items.values()],
        additional_properties: { display_properties: { skip_render: false, is_async: false } },
        step_history: [...this.#steps],
        message_state: null,
      },
    };
  }

  /** Completes a message of the agent and starts a new draft. */
  create(value: unknown): AnsweredMessage {
    const draft = this.draft();
    const message = isObject(value) ? value : {};
    const id = typeof message['id'] === 'string' && message['id'] !== '' ? message['id'] : draft.id;
    const role = typeof message['role'] === 'string' ? message['role'] : draft.role;
    const created = { ...draft.message, ...message, role } as Message; // an agent's message is open: unknown keys are kept
    this.#messageId = randomUUID();
    this.#started = false;
    this.#items = new Map();
    this.#steps = [];
    this.#size = 0;
    return { id, role, message: created };
  }

  #takeDelta(data: Data): void {
    const delta = isObject(data['delta']) ? data['delta'] : undefined;
    const content = delta?.['content'];
    if (!Array.isArray(content)) return;
    content.forEach((item: unknown, index) => {
      if (!isObject(item)) return;
      const id = typeof item['id'] === 'string' ? item['id'] : this.#idFor(item, index);
      const before = this.#items.get(id);
      const text = item['text'];
      // Items are our own copies: mutate them, because this runs for every token.
      if (before && typeof before['text'] === 'string' && typeof text === 'string' && isText(item)) {
        before['text'] += text;
        this.#size += text.length;
      } else {
        this.#items.set(id, { ...item, id });
        this.#size += JSON.stringify(item).length;
      }
    });
  }

  /** Identifies an item without an id by its index, unless an item of another kind has that index. */
  #idFor(item: Data, index: number): string {
    const there = this.#items.get(String(index + 1));
    const isSame = !there || (there.response_type ?? 'text') === (item['response_type'] ?? 'text');
    return String(isSame ? index + 1 : this.#items.size + 1);
  }

  #takeSteps(data: Data): void {
    const delta = data['delta'];
    if (!isObject(delta) || !Array.isArray(delta['step_details'])) return;
    this.#steps.push(delta);
    this.#size += JSON.stringify(delta).length;
  }
}

/** Returns a partial answer for the store; `message_state` contains how the run ended, and why. */
export function partialMessage(draft: AnsweredMessage, { status, data }: RunEnd): AnsweredMessage {
  const { reason, error } = data;
  const why = { ...(reason === undefined ? {} : { reason }), ...(error === undefined ? {} : { error }) };
  return {
    ...draft,
    message: { ...draft.message, message_state: { run_status: status, partial: true, ...why } },
  };
}

function isText(item: Data): boolean {
  return (item['response_type'] ?? 'text') === 'text';
}
