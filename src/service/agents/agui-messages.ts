import {
  compactEvents,
  EventType,
  mergeMetadata,
  type BaseEvent,
  type Message,
  type Metadata,
} from '@ag-ui/client';
import { sameJson } from '../../protocol/json.ts';
import type { AguiTurns, KeptTurn, OpenQuestion } from './agui-turns.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A message as it grows. */
interface OpenMessage extends Record<string, unknown> {
  readonly id: string;
  content?: unknown;
  toolCalls?: OpenCall[];
}

/** A tool call as it grows. */
export interface OpenCall extends Record<string, unknown> {
  readonly id: string;
  readonly type: 'function';
  readonly function: { name: string; arguments: string };
}

/** The conversation as an AG-UI agent knows it: messages and state, kept for its next run. */
export class AguiMessages {
  readonly #before: AguiTurns;
  #messages: OpenMessage[];
  #state: unknown;

  constructor(before: AguiTurns) {
    this.#before = before;
    // messages of earlier turns are compared later, and must not change
    this.#messages = structuredClone(before.messages) as unknown as OpenMessage[];
    this.#state = before.state;
  }

  /** Applies an event, which was verified. @source AG-UI 1.0, "Events" */
  apply(baseEvent: BaseEvent): void {
    const event = baseEvent as unknown as Fields;
    const id = String(event['messageId']);
    switch (baseEvent.type) {
      case EventType.RUN_STARTED: {
        const { messages = [] } = (event['input'] ?? {}) as { messages?: OpenMessage[] };
        for (const message of messages) if (!this.#messageOf(message.id)) this.#messages.push(message);
        return;
      }
      case EventType.TEXT_MESSAGE_START: {
        const { role = 'assistant', name } = event;
        return this.#open(event, { role, content: '', ...(name === undefined ? {} : { name }) });
      }
      case EventType.REASONING_MESSAGE_START:
        return this.#open(event, { role: 'reasoning', content: '' });
      case EventType.TEXT_MESSAGE_CONTENT:
      case EventType.REASONING_MESSAGE_CONTENT: {
        const message = this.#messageOf(id);
        if (message) message.content = `${textOf(message)}${String(event['delta'])}`;
        return addMetadata(message, event);
      }
      case EventType.TEXT_MESSAGE_END:
      case EventType.REASONING_MESSAGE_END:
        return addMetadata(this.#messageOf(id), event);
      case EventType.TOOL_CALL_START:
        return this.#startCall(event);
      case EventType.TOOL_CALL_ARGS: {
        const call = this.callOf(String(event['toolCallId']));
        if (call) call.function.arguments += String(event['delta']);
        return addMetadata(call, event);
      }
      case EventType.TOOL_CALL_END:
        return addMetadata(this.callOf(String(event['toolCallId'])), event);
      case EventType.TOOL_CALL_RESULT:
        return this.#addResult(event, id);
      case EventType.REASONING_ENCRYPTED_VALUE: {
        const entity = String(event['entityId']);
        const owner = event['subtype'] === 'tool-call' ? this.callOf(entity) : this.#messageOf(entity);
        if (owner) owner['encryptedValue'] = event['encryptedValue'];
        return;
      }
      case EventType.STATE_SNAPSHOT:
      case EventType.STATE_DELTA:
        this.#state = patched(this.#state, baseEvent);
        return;
      case EventType.MESSAGES_SNAPSHOT:
        return this.#replace(event['messages'] as OpenMessage[]);
      default:
      // all others change neither messages nor state
    }
  }

  /** Returns a tool call of this run or an earlier one. */
  callOf(id: string): OpenCall | undefined {
    const isCall = (call: OpenCall): boolean => call.id === id;
    return this.#messages.findLast(({ toolCalls }) => toolCalls?.some(isCall))?.toolCalls?.find(isCall);
  }

  /** Returns the messages of this turn, all of them if the agent changed earlier ones, and the state if it changed. */
  kept(open: readonly OpenQuestion[]): KeptTurn {
    const { messages, state } = this.#before;
    const isSame = messages.every((message, index) => sameJson(message, this.#messages[index]));
    return {
      messages: (isSame ? this.#messages.slice(messages.length) : this.#messages) as unknown as Message[],
      ...(isSame ? {} : { replaces: true }),
      ...(sameJson(this.#state, state) ? {} : { state: this.#state }),
      ...(open.length > 0 ? { open } : {}),
    };
  }

  #messageOf(id: string): OpenMessage | undefined {
    return this.#messages.findLast((message) => message.id === id);
  }

  /** Adds a message, or opens a known one again. */
  #open(event: Fields, fields: Fields): void {
    const id = String(event['messageId']);
    if (!this.#messageOf(id)) this.#messages.push({ id, ...fields, ...authorOf(event) });
    addMetadata(this.#messageOf(id), event);
  }

  /** Adds a call to the message that makes it, or to a message of its own. */
  #startCall(event: Fields): void {
    const id = String(event['toolCallId']);
    const parent = typeof event['parentMessageId'] === 'string' ? event['parentMessageId'] : id;
    let message = this.#messageOf(parent);
    if (message?.['role'] !== 'assistant') {
      message = { id: message ? id : parent, role: 'assistant', ...authorOf(event) };
      this.#messages.push(message);
    }
    const name = String(event['toolCallName']);
    const call: OpenCall = { id, type: 'function', function: { name, arguments: '' } };
    message.toolCalls = [...(message.toolCalls ?? []), call];
    addMetadata(call, event);
  }

  /** Takes over the agent's own list. Many agents leave their reasoning out of it: it stays where it is. */
  #replace(messages: readonly OpenMessage[]): void {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const hasThoughts = messages.some(({ role }) => role === 'reasoning');
    const kept = this.#messages.filter(
      ({ id, role }) => byId.has(id) || (role === 'reasoning' && !hasThoughts),
    );
    const known = new Set(kept.map(({ id }) => id));
    const added = messages.filter(({ id }) => !known.has(id));
    this.#messages = [...kept.map((message) => byId.get(message.id) ?? message), ...added];
  }

  /** Adds a result behind its call, after the other results of the same message. */
  #addResult(event: Fields, id: string): void {
    const { toolCallId, content, role = 'tool' } = event;
    const result: OpenMessage = { id, role, toolCallId, content, ...authorOf(event) };
    addMetadata(result, event);
    const caller = this.#messages.findIndex(({ toolCalls = [] }) =>
      toolCalls.some((call) => call.id === toolCallId),
    );
    let index = caller + 1;
    while (this.#messages[index]?.['role'] === 'tool') index += 1;
    this.#messages.splice(caller < 0 ? this.#messages.length : index, 0, result);
  }
}

/** Applies a snapshot or a patch by the library. A patch that does not fit changes nothing. */
export function patched(state: unknown, event: BaseEvent): unknown {
  const snapshot = { type: EventType.STATE_SNAPSHOT, snapshot: state } as unknown as BaseEvent;
  const [result] = compactEvents([snapshot, event]) as unknown as Fields[];
  return result?.['snapshot'];
}

function authorOf({ subagentRunId }: Fields): Fields {
  return subagentRunId == null ? {} : { subagentRunId };
}

function addMetadata(owner: Record<string, unknown> | undefined, { metadata }: Fields): void {
  if (!owner || metadata === undefined) return;
  owner['metadata'] = mergeMetadata(
    owner['metadata'] as Metadata | undefined,
    structuredClone(metadata) as Metadata,
  );
}

function textOf({ content }: OpenMessage): string {
  return typeof content === 'string' ? content : '';
}
