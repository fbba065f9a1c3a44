import { createMessage } from '../../conversation/factories.ts';
import type { ContentItem, Message } from '../../protocol/index.ts';
import { promptOf } from '../../session/prompts.ts';
import { withDefaults } from '../../session/run-request.ts';
import type { ChatHost } from '../chat-host.ts';
import { MessageSubmitEvent } from '../events/chat-events.ts';
import type { SendOptions } from '../events/panel-request.ts';
import { readOption } from '../config/read-option.ts';
import { visitorText } from './unsent-texts.ts';
import type { Turn } from '../../conversation/turns.ts';

/** Tells the page of every message before it goes out. A page that lets one wait keeps their order. */
export class SubmitGate {
  /** What the page lets wait, as the visitor sees it meanwhile. */
  held: readonly Turn[] = [];
  readonly #host: ChatHost;
  readonly #changed: () => void;
  /** Ids of what was withdrawn while it waited. */
  readonly #withdrawn = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** @param changed `held` is another */
  constructor(host: ChatHost, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
  }

  /**
   * The message, the host's defaults under it, as the page wants it sent; undefined when the page keeps it back, or the
   * visitor takes it back while it waits.
   * @param options.isShown the visitor's words, to be seen while the page lets them wait
   * @param options.keptBack called when the page or the visitor keeps it back; not when it is withdrawn
   */
  async pass(
    message: Partial<Message>,
    { isShown = false, keptBack }: { isShown?: boolean; keptBack?: (() => void) | undefined } = {},
  ): Promise<Message | undefined> {
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
    const waits = isShown && goesOn && event.waitingFor.length + this.held.length > 0;
    const id = waits && this.#hold(message);
    const isPassed = (await passed) && (!id || this.held.some((turn) => turn.id === id));
    if (id) this.takeBack(id);
    if (isPassed) return event.message;
    if (!id || !this.#withdrawn.delete(id)) keptBack?.();
    return undefined;
  }

  /** Takes back all that waits: it belongs to a thread that is left. */
  withdraw(): readonly string[] {
    const { held } = this;
    for (const { id } of held) {
      this.#withdrawn.add(id);
      this.takeBack(id);
    }
    return held.flatMap(({ prompt }) => (prompt ? [visitorText(prompt)] : [])).filter(Boolean);
  }

  /** Takes back what waits, if it is this. */
  takeBack(id: string): void {
    this.held = this.held.filter((turn) => turn.id !== id);
    this.#changed();
  }

  #hold(message: Partial<Message>): string {
    const id = `held-${(this.#count += 1)}`;
    const blank = createMessage({
      id,
      role: 'user',
      status: 'queued',
      runKey: undefined,
      createdAt: Date.now(),
    });
    const prompt = { ...blank, ...promptOf({ content: message.content ?? [], message }, id) };
    this.held = [...this.held, { id, prompt, run: undefined, answers: [] }];
    this.#changed();
    return id;
  }
}

/** What is sent, with what goes along. */
export function messageOf(content: ContentItem[], { mentions, documentIds }: SendOptions): Partial<Message> {
  return {
    content,
    ...(mentions?.length ? { mentions: [...mentions] } : {}),
    ...(documentIds?.length ? { document_ids: [...documentIds] } : {}),
  };
}
