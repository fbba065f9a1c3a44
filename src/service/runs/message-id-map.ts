import { randomUUID } from 'node:crypto';
import { isData } from './draft-answer.ts';

type Data = Readonly<Record<string, unknown>>;

/** Events that tell of a message of the agent; others may name a message of somebody else. */
const telling = /^(message\..*|flow\.slot\.listen|slot\.input)$/;

/**
 * What an agent calls its messages, and the ids they go by. An agent's own names hold within their run only: the same
 * one may stand for another message in another run, or at another tenant, and need not be a UUID as the interface asks.
 */
export class MessageIdMap {
  readonly #ids = new Map<string, string>();
  readonly #given = new Set<string>();

  /** An event's data with ids of the service's own. `current`: the id of the message that is being said. */
  map(event: string, data: Data, current: string): Data {
    const { message_id: name, message } = data;
    if (!isName(name) && !isData(message)) return data;
    const idOf = (called: string): string =>
      telling.test(event) ? this.#idOf(called, current) : (this.#ids.get(called) ?? called);
    const translated: Record<string, unknown> = { ...data };
    // The message's own id first: where the two differ, that is the one it is kept under.
    if (isData(message)) {
      const { id, parent_message_id: parent } = message;
      translated['message'] = {
        ...message,
        ...(isName(id) ? { id: idOf(id) } : {}),
        ...(isName(parent) ? { parent_message_id: this.#ids.get(parent) ?? parent } : {}),
      };
    }
    if (isName(name)) translated['message_id'] = idOf(name);
    return translated;
  }

  /** The first name that comes up while a message is being said is that message's. */
  #idOf(name: string, current: string): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#given.has(current) ? randomUUID() : current;
    this.#ids.set(name, id);
    this.#given.add(id);
    return id;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
