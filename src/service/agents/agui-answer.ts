import {
  EventType,
  PROTOCOL_VERSION,
  type BaseEvent,
  type Interrupt,
  type RunFinishedEvent,
} from '@ag-ui/client';
import { toolApproval, type ContentItem } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import { titleOf } from '../tools/tool-names.ts';
import type { AgentEvent } from './agent.ts';
import { builtInEnded, builtInStarted } from './built-in-steps.ts';
import { AguiMessages, patched, type OpenCall } from './agui-messages.ts';
import type { AguiTurns, KeptTurn, OpenQuestion } from './agui-turns.ts';
import { reportedError } from './upstream/model-refusal.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Translates the events of one AG-UI run, which were verified, and keeps what the next run needs. */
export class AguiAnswer {
  readonly #conversation: AguiMessages;
  /** The page's own names of its tools. */
  readonly #pageTools: ReadonlyMap<string, string>;
  /** Calls of this run that have no result yet, by id. */
  readonly #openCalls = new Map<string, OpenCall>();
  readonly #report: (text: string) => void;
  /** The visitor's item of each text message. */
  readonly #items = new Map<string, string>();
  readonly #activities = new Map<string, unknown>();
  #interrupts: readonly Interrupt[] = [];
  #hasSteps = false;
  #end: 'finished' | 'cancelled' | 'failed' | undefined;
  #error: unknown;

  /** @param report logs a note for the operator */
  constructor(before: AguiTurns, pageTools: ReadonlyMap<string, string>, report: (text: string) => void) {
    this.#conversation = new AguiMessages(before);
    this.#pageTools = pageTools;
    this.#report = report;
  }

  /** Adds an event to the answer, and yields events of the interface for it. */
  *apply(baseEvent: BaseEvent): Generator<AgentEvent> {
    this.#conversation.apply(baseEvent);
    const event = baseEvent as unknown as Fields; // verified, so that fields of a known type are as described
    const id = String(event['messageId']);
    switch (baseEvent.type) {
      case EventType.RUN_STARTED:
        this.#end = undefined; // one stream may hold several runs
        return this.#checkVersion(event['protocolVersion']);
      case EventType.RUN_FINISHED: {
        const { outcome } = baseEvent as RunFinishedEvent;
        this.#interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
        this.#end = outcome?.type === 'cancelled' ? 'cancelled' : 'finished';
        return;
      }
      case EventType.RUN_ERROR:
        this.#end = 'failed';
        this.#error = event;
        return;
      case EventType.TEXT_MESSAGE_START:
        if ((event['role'] ?? 'assistant') === 'assistant' && !this.#items.has(id))
          this.#items.set(id, String(this.#items.size + 1));
        return;
      case EventType.TEXT_MESSAGE_CONTENT:
        return yield* this.#text(id, String(event['delta']));
      case EventType.REASONING_MESSAGE_CONTENT:
        yield { event: 'run.step.thinking', data: { thinking: event['delta'] } };
        return;
      case EventType.TOOL_CALL_END:
        return yield* this.#endCall(String(event['toolCallId']));
      case EventType.TOOL_CALL_RESULT:
        return yield* this.#result(event);
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
      case EventType.ACTIVITY_SNAPSHOT:
      case EventType.ACTIVITY_DELTA:
        return yield* this.#activity(event, id);
      case EventType.STATE_SNAPSHOT:
      case EventType.STATE_DELTA:
      case EventType.RAW:
      case EventType.CUSTOM:
        return yield* this.#passOn(baseEvent, event);
      default:
      // starts, and ends of messages that are shown already
    }
  }

  /** Whether the run has ended: what happens to its connection then does not matter. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the answer. @throws UpstreamError when the run failed, or the stream ended before it */
  *finish(): Generator<AgentEvent> {
    if (this.#end === 'failed') throw reportedError(this.#error);
    if (this.#end === undefined)
      throw new UpstreamError('cut', 'upstream closed the stream before the run ended');
    const pageCalls = [...this.#openCalls.values()].filter((call) => this.#pageTools.has(call.function.name));
    const questions = [
      ...this.#interrupts.map((interrupt) => this.#question(interrupt)),
      ...pageCalls.map((call) => pageQuestion(call, this.#pageTools)),
    ];
    const ids = new Set(questions.map(({ open }) => open.id));
    if (ids.size < questions.length)
      throw new UpstreamError('cut', 'upstream asked two questions with the same id');
    const agui = this.#conversation.kept(questions.map(({ open }) => open));
    const hasAnswer = this.#items.size > 0 || this.#hasSteps;
    if (questions.length > 0) {
      // what was said before the questions is a message of its own; the agent's messages are kept with the questions
      if (hasAnswer) yield* completed(messageOf({ messages: [] }));
      const content = questions.flatMap(({ items }) => items);
      yield { event: 'message.interrupt', data: { message: { ...messageOf(agui), content } } };
      return;
    }
    yield* completed(messageOf(agui, hasAnswer));
    yield { event: this.#end === 'cancelled' ? 'run.cancelled' : 'run.completed', data: {} };
  }

  #checkVersion(version: unknown): void {
    if (version === undefined || version === PROTOCOL_VERSION) return;
    const name =
      typeof version === 'string' && /^\d{1,4}\.\d{1,4}$/.test(version) ? version : 'an unknown version';
    this.#report(
      `upstream speaks AG-UI ${name}, this service ${PROTOCOL_VERSION}: what is new there is ignored`,
    );
  }

  *#text(id: string, delta: string): Generator<AgentEvent> {
    const item = this.#items.get(id);
    if (item === undefined) return;
    const content = [{ id: item, response_type: 'text', text: delta }];
    yield { event: 'message.delta', data: { delta: { role: 'assistant', content } } };
  }

  *#endCall(id: string): Generator<AgentEvent> {
    const call = this.#conversation.callOf(id);
    if (!call) return;
    this.#openCalls.set(id, call);
    if (this.#pageTools.has(call.function.name)) return;
    this.#hasSteps = true;
    yield* builtInStarted({ id, name: call.function.name, args: argumentsOf(call) }, { showDetails: true });
  }

  *#result(event: Fields): Generator<AgentEvent> {
    const id = String(event['toolCallId']);
    const isOfThisRun = this.#openCalls.delete(id);
    const { content } = event;
    const result = typeof content === 'string' ? content : JSON.stringify(content ?? '');
    const call = { id, name: this.#conversation.callOf(id)?.function.name ?? 'tool' };
    // without a start in this run, the call was asked for in an earlier one
    if (!isOfThisRun) yield* builtInStarted(call, { showDetails: true });
    this.#hasSteps = true;
    yield* builtInEnded(call, { result, isError: false, showDetails: true });
  }

  /** A plan is shown as such; every other activity is passed on to the page. */
  *#activity(event: Fields, id: string): Generator<AgentEvent> {
    const type = String(event['activityType']);
    const isKnown = this.#activities.has(id);
    if (event['type'] === EventType.ACTIVITY_SNAPSHOT) {
      if (isKnown && event['replace'] === false) return;
      this.#activities.set(id, event['content']);
    } else {
      if (!isKnown) return;
      const delta = { type: EventType.STATE_DELTA, delta: event['patch'] } as unknown as BaseEvent;
      this.#activities.set(id, patched(this.#activities.get(id), delta));
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

  /** An interrupt as a form. @source AG-UI 1.0, "Interrupts" */
  #question({ id, message, toolCallId, responseSchema, reason }: Interrupt): {
    open: OpenQuestion;
    items: readonly ContentItem[];
  } {
    const schema: Fields | undefined = responseSchema;
    const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
    const call = toolCallId === undefined ? undefined : this.#conversation.callOf(toolCallId);
    if (call && (schema === undefined || 'approved' in properties)) {
      const title = titleOf(call.function.name);
      const args = argumentsOf(call);
      const edited = isObject(properties['editedArgs']) ? properties['editedArgs'] : {};
      const item = {
        response_type: 'forms',
        sub_type: toolApproval,
        id,
        name: title,
        tool: { server: '', name: call.function.name, title, description: message ?? '', read_only: false },
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
}

/** A message of the answer, with what is kept for the agent's next run. */
function messageOf(agui: KeptTurn, isShown = true): Fields {
  return {
    role: 'assistant',
    additional_properties: { display_properties: { skip_render: !isShown, is_async: false }, agui },
  };
}

function completed(message: Fields): readonly AgentEvent[] {
  return [
    { event: 'message.created', data: { message } },
    { event: 'message.completed', data: {} },
  ];
}

function pageQuestion(
  call: OpenCall,
  ownNames: ReadonlyMap<string, string>,
): { open: OpenQuestion; items: readonly ContentItem[] } {
  const { id } = call;
  const name = ownNames.get(call.function.name);
  const toolCall = { type: 'page_tool_call', id, name, args: argumentsOf(call) };
  return {
    open: { id, kind: 'page' },
    items: [{ response_type: 'user_defined', id, user_defined: toolCall }],
  };
}

function argumentsOf({ function: { arguments: json } }: OpenCall): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json);
  } catch {
    return json;
  }
}

function stepOf(event: Fields): Fields {
  const name = String(event['stepName'] ?? event['name'] ?? '');
  const id = event['subagentRunId'] ?? name;
  return { step_id: `agui-${String(id)}`, ...(name === '' ? {} : { name }) };
}
