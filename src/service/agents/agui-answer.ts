import {
  compactEvents,
  EventType,
  type BaseEvent,
  type Interrupt,
  type Message,
  type RunFinishedEvent,
  type ToolCall,
} from '@ag-ui/client';
import { toolApproval, type ContentItem } from '../../protocol/index.ts';
import { isObject, sameJson } from '../../protocol/json.ts';
import type { AgentEvent } from './agent.ts';
import { builtInEnded, builtInStarted } from './built-in-steps.ts';
import type { AguiTurns, KeptTurn, OpenQuestion } from './agui-turns.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A tool call as it grows. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly call: { id: string; type: 'function'; function: { name: string; arguments: string } };
  isAnswered: boolean;
}

/** Translates the events of one AG-UI run, which were verified, and keeps what the next run needs. */
export class AguiAnswer {
  readonly #before: AguiTurns;
  /** The page's own names of its tools. */
  readonly #pageTools: ReadonlyMap<string, string>;
  #messages: Message[];
  #state: unknown;
  readonly #calls = new Map<string, OpenCall>();
  /** The visitor's item of each text message. */
  readonly #items = new Map<string, string>();
  readonly #activities = new Map<string, unknown>();
  #interrupts: readonly Interrupt[] = [];
  #hasSteps = false;
  #isFinished = false;

  constructor(before: AguiTurns, pageTools: ReadonlyMap<string, string>) {
    this.#before = before;
    this.#messages = [...before.messages];
    this.#state = before.state;
    this.#pageTools = pageTools;
  }

  /** @throws UpstreamError when the agent reports a failure */
  *take(given: BaseEvent): Generator<AgentEvent> {
    const event = given as unknown as Fields; // verified, so that fields of a known type are as described
    const id = String(event['messageId']);
    switch (given.type) {
      case EventType.RUN_STARTED:
        this.#isFinished = false;
        return;
      case EventType.RUN_FINISHED: {
        const { outcome } = given as RunFinishedEvent;
        this.#interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
        this.#isFinished = true;
        return;
      }
      case EventType.RUN_ERROR:
        throw new UpstreamError('cut', 'upstream reported an error: RUN_ERROR');
      case EventType.TEXT_MESSAGE_START:
        return this.#startText(id, String(event['role'] ?? 'assistant'));
      case EventType.TEXT_MESSAGE_CONTENT:
        return yield* this.#text(id, String(event['delta']));
      case EventType.REASONING_MESSAGE_CONTENT:
        yield { event: 'run.step.thinking', data: { thinking: event['delta'] } };
        return;
      case EventType.TOOL_CALL_START:
        return this.#startCall(event);
      case EventType.TOOL_CALL_ARGS: {
        const open = this.#calls.get(String(event['toolCallId']));
        if (open) open.call.function.arguments += String(event['delta']);
        return;
      }
      case EventType.TOOL_CALL_END:
        return yield* this.#endCall(String(event['toolCallId']));
      case EventType.TOOL_CALL_RESULT:
        return yield* this.#result(event, id);
      case EventType.STEP_STARTED:
      case EventType.SUBAGENT_STARTED:
        this.#hasSteps = true;
        yield { event: 'run.step.started', data: stepOf(event) };
        return;
      case EventType.STEP_FINISHED:
      case EventType.SUBAGENT_FINISHED:
        yield { event: 'run.step.completed', data: stepOf(event) };
        return;
      case EventType.SUBAGENT_ERROR:
        yield { event: 'run.step.failed', data: stepOf(event) };
        return;
      case EventType.STATE_SNAPSHOT:
      case EventType.STATE_DELTA:
        this.#state = patched(this.#state, given);
        return yield* this.#passOn(given, event);
      case EventType.MESSAGES_SNAPSHOT:
        this.#messages = [...(event['messages'] as Message[])];
        return;
      case EventType.ACTIVITY_SNAPSHOT:
      case EventType.ACTIVITY_DELTA:
        return yield* this.#activity(event, id);
      case EventType.RAW:
      case EventType.CUSTOM:
        return yield* this.#passOn(given, event);
      default:
      // starts and ends of reasoning have nothing to show
    }
  }

  /** Ends the answer. @throws UpstreamError when the stream ended before the run did */
  *finish(): Generator<AgentEvent> {
    if (!this.#isFinished) throw new UpstreamError('cut', 'upstream closed the stream before the run ended');
    const pageCalls = [...this.#calls.values()].filter(
      ({ name, isAnswered }) => !isAnswered && this.#pageTools.has(name),
    );
    const questions = [
      ...this.#interrupts.map((interrupt) => this.#question(interrupt)),
      ...pageCalls.map((call) => pageQuestion(call, this.#pageTools.get(call.name) ?? call.name)),
    ];
    const agui = this.#kept(questions.map(({ open }) => open));
    const message = (isShown: boolean): Fields => ({
      role: 'assistant',
      additional_properties: { display_properties: { skip_render: !isShown, is_async: false }, agui },
    });
    if (questions.length > 0) {
      const content = questions.flatMap(({ items }) => items);
      yield { event: 'message.interrupt', data: { message: { ...message(true), content } } };
      return;
    }
    const isShown = this.#items.size > 0 || this.#hasSteps;
    yield { event: 'message.created', data: { message: message(isShown) } };
    yield { event: 'message.completed', data: {} };
    yield { event: 'run.completed', data: {} };
  }

  #startText(id: string, role: string): void {
    if (role !== 'assistant') return;
    if (!this.#items.has(id)) this.#items.set(id, String(this.#items.size + 1));
    if (!this.#messages.some((message) => message.id === id))
      this.#messages.push({ id, role: 'assistant', content: '' });
  }

  *#text(id: string, delta: string): Generator<AgentEvent> {
    const item = this.#items.get(id);
    if (item === undefined) return;
    this.#change(id, (message) => ({ ...message, content: `${textOf(message)}${delta}` }) as Message);
    const content = [{ id: item, response_type: 'text', text: delta }];
    yield { event: 'message.delta', data: { delta: { role: 'assistant', content } } };
  }

  #startCall(event: Fields): void {
    const [id, name] = [String(event['toolCallId']), String(event['toolCallName'])];
    const call = { id, type: 'function', function: { name, arguments: '' } } as const;
    this.#calls.set(id, { id, name, call, isAnswered: false });
    const parent = typeof event['parentMessageId'] === 'string' ? event['parentMessageId'] : id;
    if (!this.#messages.some((message) => message.id === parent))
      this.#messages.push({ id: parent, role: 'assistant' });
    this.#change(parent, (message) => {
      const made = (message as { toolCalls?: ToolCall[] }).toolCalls ?? [];
      return { ...message, toolCalls: [...made, call] } as Message;
    });
  }

  *#endCall(id: string): Generator<AgentEvent> {
    const open = this.#calls.get(id);
    if (!open || this.#pageTools.has(open.name)) return;
    this.#hasSteps = true;
    yield* builtInStarted({ id, name: open.name, args: argumentsOf(open) }, true);
  }

  *#result(event: Fields, messageId: string): Generator<AgentEvent> {
    const id = String(event['toolCallId']);
    const open = this.#calls.get(id);
    if (open) open.isAnswered = true;
    const { content } = event;
    this.#messages.push({ id: messageId, role: 'tool', toolCallId: id, content } as Message);
    const result = typeof content === 'string' ? content : JSON.stringify(content ?? '');
    // without a start in this run, the call was asked for in an earlier one
    const call = { id, name: open?.name ?? this.#earlierName(id) };
    if (!open) yield* builtInStarted(call, true);
    this.#hasSteps = true;
    yield* builtInEnded(call, { result, isError: false }, true);
  }

  #earlierName(id: string): string {
    for (const { toolCalls = [] } of this.#messages as { toolCalls?: ToolCall[] }[]) {
      const call = toolCalls.find((one) => one.id === id);
      if (call) return call.function.name;
    }
    return 'tool';
  }

  /** A plan is shown as such; every other activity is passed on to the page. */
  *#activity(event: Fields, id: string): Generator<AgentEvent> {
    const type = String(event['activityType']);
    const known = this.#activities.get(id);
    if (event['type'] === EventType.ACTIVITY_SNAPSHOT) {
      if (known !== undefined && event['replace'] === false) return;
      this.#activities.set(id, event['content']);
    } else if (known !== undefined) {
      const delta = { type: EventType.STATE_DELTA, delta: event['patch'] } as unknown as BaseEvent;
      this.#activities.set(id, patched(known, delta));
    }
    const content = this.#activities.get(id);
    const steps = isObject(content)
      ? [content['steps'], content['tasks'], content['plan']].find(Array.isArray)
      : undefined;
    if (steps) yield { event: 'planning', data: { steps } };
    else yield { event: 'agui.activity', data: { activity_type: type, activity_id: id, content } };
  }

  /** An event that the interface has no place for: it reaches the page under a name of its own. */
  *#passOn({ type }: BaseEvent, { type: _type, rawEvent: _raw, ...data }: Fields): Generator<AgentEvent> {
    yield { event: `agui.${type.toLowerCase()}`, data };
  }

  #change(id: string, change: (message: Message) => Message): void {
    const index = this.#messages.findLastIndex((message) => message.id === id);
    const message = this.#messages[index];
    if (message) this.#messages[index] = change(message);
  }

  /** Keeps the messages of this turn; all of them, if the agent changed earlier ones. */
  #kept(open: readonly OpenQuestion[]): KeptTurn {
    const { messages } = this.#before;
    const isSame = messages.every((message, index) => sameJson(message, this.#messages[index]));
    return {
      messages: isSame ? this.#messages.slice(messages.length) : this.#messages,
      ...(isSame ? {} : { replaces: true }),
      ...(sameJson(this.#state, {}) ? {} : { state: this.#state }),
      ...(open.length > 0 ? { open } : {}),
    };
  }

  /** An interrupt as a form. @source AG-UI 1.0, "Interrupts" */
  #question({ id, message, toolCallId, responseSchema, reason }: Interrupt): {
    open: OpenQuestion;
    items: readonly ContentItem[];
  } {
    const schema: Fields | undefined = responseSchema;
    const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
    const call = toolCallId === undefined ? undefined : this.#callOf(toolCallId);
    if (call && (schema === undefined || 'approved' in properties)) {
      const title = titleOf(call.name);
      const args = argumentsOf(call);
      const edited = isObject(properties['editedArgs']) ? properties['editedArgs'] : {};
      const item = {
        response_type: 'forms',
        sub_type: toolApproval,
        id,
        name: title,
        tool: { server: '', name: call.name, title, description: message ?? '', read_only: false },
        json_schema: { type: 'object', ...edited },
        form_data: isObject(args) ? args : {},
        decision: { state: 'asked' },
      };
      return { open: { id, kind: 'approval', args: item.form_data }, items: [item] };
    }
    const isForm = schema?.['type'] === 'object' || Object.keys(properties).length > 0;
    const answer = schema ?? (reason === 'confirmation' ? { type: 'boolean' } : { type: 'string' });
    const item = {
      response_type: 'forms',
      id,
      name: message ?? titleOf(reason),
      json_schema: isForm
        ? { type: 'object', ...schema }
        : {
            type: 'object',
            properties: { answer: { title: message ?? titleOf(reason), ...answer } },
            required: ['answer'],
          },
    };
    return { open: { id, kind: isForm ? 'form' : 'value' }, items: [item] };
  }

  #callOf(id: string): { name: string; call: ToolCall } | undefined {
    for (const { toolCalls = [] } of this.#messages as { toolCalls?: ToolCall[] }[]) {
      const call = toolCalls.find((one) => one.id === id);
      if (call) return { name: call.function.name, call };
    }
    return undefined;
  }
}

function pageQuestion(call: OpenCall, name: string): { open: OpenQuestion; items: readonly ContentItem[] } {
  const { id } = call;
  const asked = { type: 'page_tool_call', id, name, args: argumentsOf(call) };
  return { open: { id, kind: 'page' }, items: [{ response_type: 'user_defined', id, user_defined: asked }] };
}

/** Applies a snapshot or a patch by the library. A patch that does not fit changes nothing. */
function patched(state: unknown, event: BaseEvent): unknown {
  const snapshot = { type: EventType.STATE_SNAPSHOT, snapshot: state } as unknown as BaseEvent;
  const [result] = compactEvents([snapshot, event]) as unknown as Fields[];
  return result?.['snapshot'];
}

function argumentsOf({ call }: { readonly call: ToolCall }): unknown {
  try {
    return JSON.parse(call.function.arguments === '' ? '{}' : call.function.arguments);
  } catch {
    return call.function.arguments;
  }
}

function textOf(message: Message): string {
  return 'content' in message && typeof message.content === 'string' ? message.content : '';
}

function stepOf(event: Fields): Fields {
  const name = String(event['stepName'] ?? event['name'] ?? '');
  const id = event['subagentRunId'] ?? name;
  return { step_id: `agui-${String(id)}`, ...(name === '' ? {} : { name }) };
}

/** `book_berth` becomes `Book berth`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[_:.-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
