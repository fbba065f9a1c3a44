import { randomUUID } from 'node:crypto';
import { isObject } from '../../protocol/json.ts';

type Data = Readonly<Record<string, unknown>>;

/** Events whose message id is the agent's own. In other events, the id may be that of any message. */
const telling = /^(message\..*|flow\.slot\.listen|slot\.input)$/;

/**
 * Maps an agent's message ids to the service's. An agent's ids are valid within a run only: another run or
 * tenant may use the same one, and they need not be UUIDs.
 */
export class MessageIdMap {
  readonly #ids = new Map<string, string>();
  readonly #used = new Set<string>();

  /**
   * Returns an event's data with the service's ids.
   * @param current the id of the current message; absent for a message beside it
   */
  map(event: string, data: Data, current: string | undefined): Data {
    const { message_id: name, message } = data;
    if (!isName(name) && !isObject(message)) return data;
    const idOf = (called: string): string =>
      telling.test(event) ? this.#idOf(called, current) : (this.#ids.get(called) ?? called);
    const translated: Record<string, unknown> = { ...data };
    // Map the id in `message` first: if it differs from `message_id`, the message is stored under it.
    if (isObject(message)) {
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

  /** The first id used during a message belongs to that message. */
  #idOf(name: string, current: string | undefined): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = current === undefined || this.#used.has(current) ? randomUUID() : current;
    this.#ids.set(name, id);
    this.#used.add(id);
    return id;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
