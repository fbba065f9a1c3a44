import type { Message } from '../protocol/index.ts';
import { withDefaults } from '../session/run-request.ts';
import type { AgentChat } from './agent-chat.ts';
import { MessageSubmitEvent } from './events.ts';
import { readOption } from './read-option.ts';

/** Tells the page of every message before it goes out. A page that lets one wait keeps their order. */
export class SubmitGate {
  readonly #host: AgentChat;
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: AgentChat) {
    this.#host = host;
  }

  /** The message, the host's defaults under it, as the page wants it sent; undefined when the page keeps it back. */
  async pass(message: Partial<Message>): Promise<Message | undefined> {
    const event = new MessageSubmitEvent(
      withDefaults(readOption(this.#host, 'messageDefaults'), { role: 'user', ...message }),
    );
    const goesOn = this.#host.dispatchEvent(event);
    const waited = Promise.all(event.waitingFor).then(
      () => goesOn,
      () => false,
    );
    const passed = this.#last.then(() => waited);
    this.#last = passed;
    return (await passed) ? event.message : undefined;
  }
}
