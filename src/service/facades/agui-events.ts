import { toolApproval } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import { isPageToolName } from '../tools/page-tools.ts';

/** Begins the ids of results of the service's own tools: clients send them back, and they are no news. */
export const resultPrefix = 'service-result-';
/** Begins the ids of interrupts that ask for a decision: the answer to a form can have a field `approved`, too. */
export const decisionPrefix = 'service-decision-';

type Fields = Readonly<Record<string, unknown>>;

/** An AG-UI event. */
export type AguiEvent = Fields & { readonly type: string };

/** Ids of thread and run, as an AG-UI client knows them. */
export interface RunIds {
  readonly threadId: string;
  readonly runId: string;
}

/** An interrupt of AG-UI 1.0. */
type Interrupt = Fields & { readonly id: string };

/** The schema of a decision's answer. @source AG-UI 1.0, "Approve with edits" */
function approvalSchema(args: unknown): Fields {
  const properties = {
    approved: { type: 'boolean' },
    editedArgs: isObject(args) ? args : { type: 'object' },
    reason: { type: 'string' },
  };
  return { type: 'object', properties, required: ['approved'] };
}

/** Translates the events of one run to AG-UI events in the order that AG-UI requires. */
export class AguiEvents {
  readonly #ids: Fields;
  #messageId: string;
  /** Text messages that were started and not ended, with their text; by item. */
  readonly #texts = new Map<string, { readonly id: string; text: string }>();
  /** The items of the open message, in order. */
  #items: { readonly key: string; readonly isText: boolean }[] = [];
  /** Items that were sent as activities, as JSON. */
  readonly #activities = new Map<string, string>();
  readonly #calls = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #steps = new Map<string, string>();
  #thought: string | undefined;
  #thoughts = 0;
  #interrupts: Interrupt[] = [];
  #isStarted = false;
  #isOver = false;

  /**
   * @param ids of thread and run, as the client knows them
   * @param knownCalls ids of the calls that the client has from earlier runs: only their results are sent
   */
  constructor(ids: RunIds, knownCalls: readonly string[] = []) {
    this.#ids = { ...ids };
    this.#messageId = ids.runId;
    for (const id of knownCalls) this.#calls.add(id);
  }

  /** Translates one event. */
  *translate(event: string, data: Fields): Generator<AguiEvent> {
    if (this.#isOver) return;
    if (!this.#isStarted) {
      this.#isStarted = true;
      yield { type: 'RUN_STARTED', ...this.#ids };
    }
    if (event !== 'run.step.thinking') yield* this.#endThought();
    switch (event) {
      case 'run.started':
      case 'message.completed':
      case 'done':
        return;
      case 'message.started':
        yield* this.#endTexts();
        this.#messageId = nameIn(data, 'message_id') ?? this.#messageId;
        return;
      case 'message.delta':
        return yield* this.#delta(data);
      case 'message.created':
      case 'slot.input':
        return yield* this.#message(data);
      case 'message.interrupt':
      case 'flow.slot.listen':
        yield* this.#message(data);
        if (event === 'flow.slot.listen') yield* this.#finish({ type: 'success' });
        return;
      case 'run.step.thinking':
        return yield* this.#think(data);
      case 'run.step.delta':
        return yield* this.#stepDelta(data);
      case 'run.step.started':
        return yield* this.#startStep(data);
      case 'run.step.completed':
      case 'run.step.failed':
        return yield* this.#endStep(nameIn(data, 'step_id') ?? '');
      case 'planning':
        yield {
          type: 'ACTIVITY_SNAPSHOT',
          messageId: `plan-${String(this.#ids['runId'])}`,
          activityType: 'PLAN',
          content: data,
        };
        return;
      case 'run.completed':
        return yield* this.#finish({ type: 'success' });
      case 'run.cancelled':
        this.#interrupts = [];
        return yield* this.#finish({ type: 'cancelled' });
      case 'run.failed':
      case 'run.expired':
        return yield* this.#fail(event, data);
      default:
        yield { type: 'CUSTOM', name: event, value: data };
    }
  }

  /** Ends the stream of a run that waits for the visitor, which has no last event. */
  *end(): Generator<AguiEvent> {
    if (this.#isStarted && !this.#isOver) yield* this.#finish({ type: 'success' });
  }

  *#delta(data: Fields): Generator<AguiEvent> {
    const delta = isObject(data['delta']) ? data['delta'] : {};
    for (const item of itemsOf(delta['content'])) {
      const key = this.#keyOf(item);
      const text = item['text'];
      if (isText(item) && typeof text === 'string') yield* this.#text(key, text);
      // the complete message asks and calls
      else if (!isForm(item) && !isPageCall(item['user_defined'])) yield* this.#show(key, item);
    }
  }

  /** The key of an item in a delta: its id, else its position. Text without an id belongs to a text before it. */
  #keyOf(item: Fields): string {
    const last = this.#items.at(-1);
    const isOfText = isText(item);
    if (isOfText && last?.isText && nameIn(item, 'id') === undefined) return last.key;
    const key = nameIn(item, 'id') ?? String(this.#items.length + 1);
    if (!this.#items.some((known) => known.key === key)) this.#items.push({ key, isText: isOfText });
    return key;
  }

  *#text(item: string, text: string): Generator<AguiEvent> {
    if (text === '') return;
    let open = this.#texts.get(item);
    if (!open) {
      const id = item === '1' ? this.#messageId : `${this.#messageId}-${item}`;
      open = { id, text: '' };
      this.#texts.set(item, open);
      yield { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' };
    }
    open.text += text;
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: open.id, delta: text };
  }

  /** The complete message: sends what was not streamed. */
  *#message(data: Fields): Generator<AguiEvent> {
    const message = isObject(data['message']) ? data['message'] : {};
    const id = nameIn(data, 'message_id') ?? nameIn(message, 'id');
    if (this.#texts.size === 0 && id !== undefined) this.#messageId = id;
    const properties = isObject(message['additional_properties']) ? message['additional_properties'] : {};
    const display = isObject(properties['display_properties']) ? properties['display_properties'] : {};
    if (display['skip_render'] !== true) {
      for (const [index, item] of itemsOf(message['content']).entries()) {
        const key = nameIn(item, 'id') ?? this.#items[index]?.key ?? String(index + 1);
        const { text } = item;
        if (isText(item) && typeof text === 'string') yield* this.#rest(key, text);
        else if (isForm(item)) yield* this.#ask(key, item);
        else if (isPageCall(item['user_defined'])) yield* this.#call(item['user_defined']);
        else yield* this.#show(key, item);
      }
    }
    yield* this.#endTexts();
    this.#messageId = `${this.#messageId}-next`;
  }

  /** A form or a decision: the run ends with it as an interrupt. A decision shows its call, with the arguments. */
  *#ask(key: string, item: Fields): Generator<AguiEvent> {
    const isDecision = item['sub_type'] === toolApproval;
    const id = isDecision ? decisionPrefix + key : key;
    if (this.#interrupts.some((interrupt) => interrupt.id === id)) return;
    const tool = isObject(item['tool']) ? item['tool'] : {};
    const message = [tool['description'], item['name'], item['title']].find(
      (one) => typeof one === 'string' && one !== '',
    );
    if (isDecision)
      yield* this.#call({ id: key, name: tool['name'] ?? item['name'], args: item['form_data'] });
    const expiresAt = nameIn(isObject(item['decision']) ? item['decision'] : item, 'expires_at');
    this.#interrupts.push({
      id,
      reason: isDecision ? 'tool_call' : 'input_required',
      ...(message === undefined ? {} : { message }),
      ...(isDecision ? { toolCallId: key } : {}),
      responseSchema: isDecision ? approvalSchema(item['json_schema']) : item['json_schema'],
      ...(expiresAt === undefined ? {} : { expiresAt }),
      metadata: { item },
    });
  }

  /** Sends what was not streamed of a text. */
  *#rest(key: string, text: string): Generator<AguiEvent> {
    const streamed = this.#texts.get(key)?.text ?? '';
    if (text.startsWith(streamed)) yield* this.#text(key, text.slice(streamed.length));
  }

  /** Sends an item that AG-UI has no message for: as an activity, and the text of an answer with sources as text, too. */
  *#show(key: string, item: Fields): Generator<AguiEvent> {
    const { response_type: type, text } = item;
    if (type === 'conversational_search' && typeof text === 'string') yield* this.#rest(key, text);
    yield* this.#activity(key, item);
  }

  *#activity(key: string, item: Fields): Generator<AguiEvent> {
    const id = `${this.#messageId}-item-${key}`;
    const json = JSON.stringify(item);
    if (this.#activities.get(id) === json) return;
    this.#activities.set(id, json);
    const activityType = typeof item['response_type'] === 'string' ? item['response_type'] : 'item';
    yield { type: 'ACTIVITY_SNAPSHOT', messageId: id, activityType, content: item, replace: true };
  }

  *#think(data: Fields): Generator<AguiEvent> {
    const { thinking, content, text, message } = data;
    const said = [thinking, content, text, isObject(message) ? message['text'] : message].find(
      (one) => typeof one === 'string',
    );
    if (typeof said !== 'string' || said === '') return;
    if (this.#thought === undefined) {
      this.#thoughts += 1;
      this.#thought = `${String(this.#ids['runId'])}-reasoning-${this.#thoughts}`;
      yield { type: 'REASONING_START', messageId: this.#thought };
      yield { type: 'REASONING_MESSAGE_START', messageId: this.#thought, role: 'reasoning' };
    }
    yield { type: 'REASONING_MESSAGE_CONTENT', messageId: this.#thought, delta: said };
  }

  *#endThought(): Generator<AguiEvent> {
    if (this.#thought === undefined) return;
    yield { type: 'REASONING_MESSAGE_END', messageId: this.#thought };
    yield { type: 'REASONING_END', messageId: this.#thought };
    this.#thought = undefined;
  }

  *#stepDelta(data: Fields): Generator<AguiEvent> {
    const delta = isObject(data['delta']) ? data['delta'] : {};
    for (const detail of itemsOf(delta['step_details'])) {
      // the calls of the front end's own tools follow under their own names, and it has their results
      for (const call of itemsOf(detail['tool_calls']))
        if (!isPageToolName(call['name'])) yield* this.#call(call);
      const id = nameIn(detail, 'tool_call_id');
      if (id === undefined || detail['type'] !== 'tool_response' || this.#answered.has(id)) continue;
      if (isPageToolName(detail['name'])) continue;
      this.#answered.add(id);
      yield* this.#call({ id, name: detail['name'] });
      const content =
        typeof detail['content'] === 'string' ? detail['content'] : JSON.stringify(detail['content'] ?? '');
      yield {
        type: 'TOOL_CALL_RESULT',
        messageId: `${resultPrefix}${id}`,
        toolCallId: id,
        content,
        role: 'tool',
      };
    }
  }

  *#call({ id, name, args }: Fields): Generator<AguiEvent> {
    const toolCallId = String(id);
    if (this.#calls.has(toolCallId)) return;
    this.#calls.add(toolCallId);
    yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: String(name ?? 'tool') };
    const delta = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    if (delta !== '') yield { type: 'TOOL_CALL_ARGS', toolCallId, delta };
    yield { type: 'TOOL_CALL_END', toolCallId };
  }

  *#startStep(data: Fields): Generator<AguiEvent> {
    const name = nameIn(data, 'name', 'step_name', 'title');
    const id = nameIn(data, 'step_id') ?? name;
    if (name === undefined || id === undefined || this.#steps.has(id)) return;
    const stepName = [...this.#steps.values()].includes(name) ? `${name} (${id})` : name;
    this.#steps.set(id, stepName);
    yield { type: 'STEP_STARTED', stepName };
  }

  *#endStep(id: string): Generator<AguiEvent> {
    const stepName = this.#steps.get(id);
    if (stepName === undefined) return;
    this.#steps.delete(id);
    yield { type: 'STEP_FINISHED', stepName };
  }

  *#endTexts(): Generator<AguiEvent> {
    for (const { id } of this.#texts.values()) yield { type: 'TEXT_MESSAGE_END', messageId: id };
    this.#texts.clear();
    this.#items = [];
  }

  *#finish(outcome: Fields): Generator<AguiEvent> {
    yield* this.#endThought();
    yield* this.#endTexts();
    for (const id of [...this.#steps.keys()]) yield* this.#endStep(id);
    this.#isOver = true;
    const interrupts = this.#interrupts;
    const finished = interrupts.length > 0 ? { type: 'interrupt', interrupts } : outcome;
    yield { type: 'RUN_FINISHED', ...this.#ids, outcome: finished };
  }

  *#fail(event: string, data: Fields): Generator<AguiEvent> {
    this.#isOver = true;
    const error = isObject(data['error']) ? data['error'] : {};
    const message = nameIn(error, 'message') ?? nameIn(data, 'message', 'error') ?? 'The run failed.';
    yield { type: 'RUN_ERROR', message, code: nameIn(error, 'code') ?? nameIn(data, 'reason') ?? event };
  }
}

function isText(item: Fields): boolean {
  return (item['response_type'] ?? 'text') === 'text';
}

function isForm(item: Fields): boolean {
  return item['json_schema'] != null && item['form_operation'] == null;
}

function isPageCall(value: unknown): value is Fields {
  return isObject(value) && value['type'] === 'page_tool_call';
}

function itemsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ response_type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function nameIn(data: Fields, ...names: readonly string[]): string | undefined {
  const value = names.map((name) => data[name]).find((one) => typeof one === 'string' && one !== '');
  return typeof value === 'string' ? value : undefined;
}
