import { isObject, parseJson, sameJson } from '../protocol/json.ts';
import { createStep } from './factories.ts';
import type { ConversationItem, RunStep } from './conversation.ts';
import { readToolResponse } from './read-tool-response.ts';
import { asObject, firstString, listOf, nonEmptyString, readText } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { withFields } from './update.ts';

/** The content of step details: steps to merge by id, and items of tool results for the visitor. */
export interface StepReading {
  readonly steps: readonly RunStep[];
  readonly items: readonly ConversationItem[];
}

/** Whether the steps are in progress, or belong to a complete message. */
export type StepTense = 'active' | 'done';

/**
 * Reads `step_details` in any form: tool calls, responses, the echo of a call, and whatever else an agent notes.
 * @param parentId the step the details belong to, when the wire named one
 */
export function readStepDetails(
  details: unknown,
  tense: StepTense,
  parentId: string | undefined,
  known: readonly RunStep[] = [],
): StepReading {
  let steps = known;
  const items: ConversationItem[] = [];
  for (const detail of listOf(details)) {
    if (!isObject(detail)) continue;
    const agentName = firstString(detail, 'agent_display_name', 'agent_name');
    for (const call of callsOf(detail)) {
      steps = joinStep(steps, { ...callStep(call, tense, steps), agentName, parentId });
    }
    if (isResponse(detail)) {
      const id =
        firstString(detail, 'tool_call_id', 'call_id', 'id') ?? lastOpenCall(steps) ?? `tool-${steps.length}`;
      const response = readToolResponse(detail['content'] ?? detail['output'] ?? detail['result'], id);
      const failed =
        detail['is_error'] === true ||
        detail['status'] === 'error' ||
        detail['status'] === 'failed' ||
        response.failed;
      items.push(...response.items);
      steps = joinStep(steps, {
        ...createStep(id, 'tool'),
        name: firstString(detail, 'title', 'name', 'tool_name') ?? '',
        agentName,
        parentId,
        status: failed ? (detail['outcome'] ? 'stopped' : 'failed') : 'done',
        output: response.text,
        error: failed ? (nonEmptyString(detail['error']) ?? response.text) : undefined,
      });
    }
  }
  return { steps, items };
}

/** Reads the steps in a message: `step_history`, `tool_calls`, `tool_call_id`, `svc_message`. */
export function readMessageSteps(message: Fields, properties: Fields | undefined): StepReading {
  let steps: readonly RunStep[] = [];
  const items: ConversationItem[] = [];
  for (const entry of listOf(message['step_history'])) {
    if (!isObject(entry)) continue;
    const reading = readStepDetails(entry['step_details'] ?? entry, 'done', undefined, steps);
    steps = reading.steps;
    items.push(...reading.items);
  }
  for (const call of [...listOf(message['tool_calls']), ...listOf(properties?.['tool_calls'])]) {
    if (isObject(call)) steps = joinStep(steps, callStep(call, 'done', steps));
  }
  if (!properties) return { steps, items };
  const callId = firstString(properties, 'tool_call_id');
  const toolName = firstString(properties, 'tool_name');
  if (callId !== undefined || toolName !== undefined) {
    steps = joinStep(steps, {
      ...createStep(callId ?? `tool-${toolName ?? ''}`, 'tool'),
      name: toolName ?? '',
      status: 'done',
    });
  }
  const note = properties['svc_message'];
  if (isObject(note) && Object.keys(note).length > 0) {
    steps = joinStep(steps, {
      ...createStep('svc_message', 'note'),
      name: firstString(note, 'title', 'name', 'type') ?? '',
      status: 'done',
      input: note,
      output: readText(note) || undefined,
    });
  }
  return { steps, items };
}

/** Merges a step into the known ones: later values win, absent ones change nothing. */
export function joinStep(steps: readonly RunStep[], update: RunStep): readonly RunStep[] {
  const index = steps.findIndex((step) => step.id === update.id);
  const known = steps[index];
  if (!known) return [...steps, update];
  const joined = withFields(known, {
    name: update.name === '' ? known.name : update.name,
    agentName: update.agentName ?? known.agentName,
    parentId: known.parentId ?? update.parentId,
    status: rank(update.status) >= rank(known.status) ? update.status : known.status,
    input: joinInput(known.input, update.input),
    output: update.output ?? known.output,
    error: update.error ?? known.error,
  });
  return joined === known ? steps : steps.with(index, joined);
}

/** Status never goes back: a call that is repeated after its response is still done. */
function rank(status: RunStep['status']): number {
  return { pending: 0, active: 1, stopped: 2, done: 3, failed: 3 }[status];
}

/** Arguments may arrive complete, repeated, or as pieces of JSON text. */
function joinInput(known: unknown, update: unknown): unknown {
  // some services echo a call without what it was called with
  if (update === undefined || update === null || (known !== undefined && sameJson(update, {}))) return known;
  if (typeof known !== 'string' || typeof update !== 'string') return update;
  const isWhole = known.endsWith('}') && parseJson(known).ok;
  // a piece such as `{"` comes again with every inner object
  if (known.startsWith(update) && (isWhole || update.length > 8)) return known;
  return isWhole || update.startsWith(known) ? update : known + update;
}

function callsOf(detail: Fields): readonly Fields[] {
  if (Array.isArray(detail['tool_calls'])) return detail['tool_calls'].filter(isObject);
  return detail['type'] === 'tool_call' || detail['type'] === 'function' ? [detail] : [];
}

function isResponse(detail: Fields): boolean {
  const { type } = detail;
  return (
    type === 'tool_response' ||
    type === 'tool_result' ||
    type === 'tool_output' ||
    (type === undefined && detail['tool_call_id'] !== undefined && detail['content'] !== undefined)
  );
}

function callStep(call: Fields, tense: StepTense, steps: readonly RunStep[]): RunStep {
  const called = asObject(call['function']);
  const id =
    firstString(call, 'tool_call_id', 'id', 'call_id') ?? lastOpenCall(steps) ?? `tool-${steps.length}`;
  return {
    ...createStep(id, 'tool'),
    name: firstString(call, 'title', 'name', 'tool_name') ?? nonEmptyString(called['name']) ?? '',
    status: tense,
    input: call['args'] ?? call['arguments'] ?? call['input'] ?? called['arguments'] ?? undefined,
  };
}

function lastOpenCall(steps: readonly RunStep[]): string | undefined {
  return steps.findLast((step) => step.kind === 'tool' && step.status === 'active')?.id;
}
