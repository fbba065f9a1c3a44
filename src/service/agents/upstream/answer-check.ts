import type { WireDiagnostic } from '../../../client/agent-client.ts';
import { isKnownRunEventKind, type Message } from '../../../protocol/index.ts';
import { isObject } from '../../../protocol/json.ts';
import { isSilent, type AgentRun } from '../agent.ts';
import { normalizeEvent } from '../normalize-events.ts';

/** What the log says of a record that could not be used. The record itself is part of the answer and is not quoted. */
const faults: Readonly<Record<string, string>> = {
  'malformed-record':
    'a line of the answer is not JSON and was left out: send one JSON object in each line, or server-sent events',
  'truncated-record': 'the answer ended within a line, which was left out',
  'not-an-event': 'a line of the answer has no "event", such as "message.delta", and was left out',
  'odd-data': '"data" of an event is not an object',
};

/** Events that show nothing by themselves. */
const silentEvents: ReadonlySet<string> = new Set([
  'run.started',
  'run.completed',
  'message.started',
  'message.completed',
  'done',
]);

/** Events that show a message of their own. */
const ownMessages: ReadonlySet<string> = new Set([
  'message.created',
  'message.interrupt',
  'flow.slot.listen',
]);

/** Events with words of the author for the visitor. */
const failures: ReadonlySet<string> = new Set(['run.failed', 'error']);

/** Watches the answer of a back end or a module, and tells its author in the log what is wrong with it. */
export class AnswerCheck {
  readonly #run: Pick<AgentRun, 'report' | 'warn'>;
  #last: string | undefined;
  #ended: string | undefined;
  readonly #isExpected: boolean;
  #showsSomething = false;

  /** @param options.isExpected whether the response promised an answer: a 202 says that it comes by callback */
  constructor(run: Pick<AgentRun, 'report' | 'warn'>, options: { readonly isExpected: boolean }) {
    this.#run = run;
    this.#isExpected = options.isExpected;
  }

  /** The kind of the last event; `undefined`: none came. */
  get lastEvent(): string | undefined {
    return this.#last;
  }

  /** Whether nothing came that the visitor sees. */
  get isSilent(): boolean {
    return !this.#showsSomething;
  }

  /** Takes a diagnostic of the decoder. */
  record({ code }: Pick<WireDiagnostic, 'code'>): void {
    const text = faults[code];
    if (text !== undefined) this.#run.warn(text);
  }

  event({ event, data }: { readonly event: string; readonly data?: unknown }): void {
    if (this.#ended !== undefined && !silentEvents.has(event))
      this.#run.warn(`an event came after "${this.#ended}", which must be the last one`);
    if (event === 'done' || event === 'run.completed') this.end(event);
    this.#showsSomething ||= isShown({ event, data });
    if (isObject(data)) this.#reportFields(event, data);
    if (isKnownRunEventKind(event)) this.#last = event;
    else reportUnknownKind(this.#run, event);
  }

  #reportFields(event: string, { error, message }: Readonly<Record<string, unknown>>): void {
    if (failures.has(event) && !(isObject(error) && typeof error['message'] === 'string'))
      this.#run.warn(
        `"${event}" has no "error" with a "message": the visitor reads words of the chat instead`,
      );
    if (isObject(message) && message['role'] === 'user')
      this.#run.warn('a message has the role "user" and is shown as the visitor\'s: send "assistant"');
  }

  /** Ends the answer. @param event the event that ended it; a module may just return */
  end(event = 'done'): void {
    if (this.#ended === undefined && this.isSilent && this.#isExpected)
      this.#run.warn(
        'the answer shows nothing: send "message.delta" with a text, or "message.created", before its end',
      );
    this.#ended ??= event;
  }
}

/** Whether the visitor sees something of an event. */
export function isShown({ event, data }: { readonly event: string; readonly data?: unknown }): boolean {
  if (!isKnownRunEventKind(event) || silentEvents.has(event)) return false;
  const { delta, message } = normalizeEvent({ event, data }).data;
  if (event === 'message.delta') return isObject(delta) && hasContent(delta['content']);
  if (!ownMessages.has(event)) return true;
  if (!isObject(message)) return false;
  return hasContent(message['content']) || isSilent(message as unknown as Message); // it reads any object
}

/** Whether something of it is shown: an empty text is not. */
function hasContent(content: unknown): boolean {
  if (!Array.isArray(content)) return content != null && content !== '';
  return content.some(
    (item) => !isObject(item) || item['text'] !== '' || (item['response_type'] ?? 'text') !== 'text',
  );
}

/** Reports an event of a kind that the chat does not know: one of the author's own, or a typing error. */
function reportUnknownKind(run: Pick<AgentRun, 'report'>, event: string): void {
  const name = /^[\w.:-]{1,64}$/.test(event) ? ` "${event}"` : '';
  run.report(`unknown event kind${name}: the page gets the event, and the chat shows nothing of it`);
}
