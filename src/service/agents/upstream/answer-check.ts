import type { WireDiagnostic } from '../../../client/agent-client.ts';
import { isKnownRunEventKind } from '../../../protocol/index.ts';
import { isObject } from '../../../protocol/json.ts';
import type { AgentRun } from '../agent.ts';
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
    if (isKnownRunEventKind(event)) this.#last = event;
    else reportUnknownKind(this.#run, event);
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
  if (event !== 'message.delta') return isKnownRunEventKind(event) && !silentEvents.has(event);
  const { delta } = normalizeEvent({ event, data }).data;
  return isObject(delta) && Array.isArray(delta['content']);
}

/** Reports an event of a kind that the chat does not know: one of the author's own, or a typing error. */
export function reportUnknownKind(run: Pick<AgentRun, 'report'>, event: string): void {
  const name = /^[\w.:-]{1,64}$/.test(event) ? ` "${event}"` : '';
  run.report(`unknown event kind${name}: the page gets the event, and the chat shows nothing of it`);
}
