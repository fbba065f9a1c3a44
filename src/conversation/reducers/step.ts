import { isObject, shallowArrayEquals } from '../../protocol/json.ts';
import { createStep } from '../factories.ts';
import type { Conversation, Run, RunStep } from '../conversation.ts';
import type { EventReducer, ReducerScope } from '../reducer-types.ts';
import { upsertItem } from '../items.ts';
import { asObject, firstString, listOf, nonEmptyString, readText } from '../read-values.ts';
import type { Fields } from '../read-values.ts';
import { hasEnded } from '../run-status.ts';
import { joinStep, readStepDetails } from '../steps.ts';
import { findMessage, findRun, updateMessage, updateRun, withFields, clearStatusLine } from '../update.ts';
import { openDraft } from './open-message.ts';

/** A step starts. A step that only wraps tool calls gets no row, because the calls have rows. */
export const runStepStarted: EventReducer = (conversation, scope) => {
  const { run } = scope;
  const step = stepFields(scope.data);
  const id = stepIdOf(scope.data) ?? `step-${run.steps.length}`;
  const stated: RunStep = {
    ...createStep(id, 'step'),
    ...namesOf(step, scope.data),
    status: hasEnded(run) ? 'done' : 'active',
  };
  const opened = withSteps(conversation, run, joinStep(run.steps, stated));
  return takeDetails(opened, scope, detailsOf(scope.data), id);
};

/** Tool calls, responses, or more of either. */
export const runStepDelta: EventReducer = (conversation, scope) =>
  takeDetails(conversation, scope, detailsOf(scope.data), stepIdOf(scope.data));

/** Ends a step, its unanswered calls and its status line. */
export const runStepCompleted: EventReducer = (conversation, scope) => endStep(conversation, scope, 'done');

/** A step failed; the run continues. */
export const runStepFailed: EventReducer = (conversation, scope) => endStep(conversation, scope, 'failed');

/** Updates the status line and the reasoning text. */
export const runStepThinking: EventReducer = (conversation, scope) => {
  const line = statusLine(conversation, scope);
  if (scope.late) return line;
  const { data } = scope;
  const details = listOf(detailsOf(data)).filter(isObject);
  const isCall = (detail: Fields): boolean =>
    detail['tool_calls'] !== undefined || detail['tool_call_id'] !== undefined;
  const direct =
    data['thinking'] ??
    data['content'] ??
    data['text'] ??
    (typeof data['delta'] === 'string' ? data['delta'] : undefined);
  const delta = asObject(data['delta']);
  const added =
    direct === undefined && details.length === 0
      ? readText(delta['thinking'] ?? delta['reasoning'] ?? delta['text'] ?? delta['content'])
      : readText(isObject(direct) ? (direct['thinking'] ?? direct) : direct) +
        details
          .filter((detail) => !isCall(detail))
          .map(reasoningOf)
          .join('');
  const thought = updateRun(line, scope.runKey, (current) => {
    const thinking = added
      ? joinThinking(current.thinking, added)
      : addLine(current.thinking, messageText(data));
    const at = current.plan.length + current.steps.length;
    return withFields(current, { thinking, thinkingAt: thinking ? (current.thinkingAt ?? at) : undefined });
  });
  return details.some(isCall) ? takeDetails(thought, scope, details.filter(isCall), stepIdOf(data)) : thought;
};

/** Sets the status line, if the event contains one: until the next one, the end of a step, or text of the answer. */
export function statusLine(conversation: Conversation, scope: ReducerScope): Conversation {
  const { message } = scope.data;
  const key = isObject(message) ? firstString(message, 'key') : undefined;
  const text = messageText(scope.data);
  if (scope.late || (key === undefined && text === '')) return conversation;
  const agentName = firstString(scope.data, 'agent_display_name', 'agent_name');
  return updateRun(conversation, scope.runKey, (run) => {
    const line = run.statusLine;
    const isSame = line?.key === key && line?.text === text && line.agentName === agentName;
    return hasEnded(run) || isSame ? run : { ...run, statusLine: { key, text, agentName } };
  });
}

function takeDetails(
  conversation: Conversation,
  scope: ReducerScope,
  details: unknown,
  stepId: string | undefined,
): Conversation {
  const run = findRun(conversation, scope.runKey);
  if (!run || details === undefined) return conversation;
  const parent = stepId ?? run.steps.findLast((step) => step.kind === 'step' && step.status === 'active')?.id;
  const reading = readStepDetails(details, hasEnded(run) ? 'done' : 'active', parent, run.steps);
  const agentName = firstString(scope.data, 'agent_display_name');
  const named =
    agentName === undefined
      ? reading.steps
      : reading.steps.map((step, index) =>
          step === run.steps[index] || step.agentName !== undefined ? step : { ...step, agentName },
        );
  const shown = withSteps(conversation, run, withoutWrapper(named, parent));
  if (reading.items.length === 0) return shown;
  const open = findMessage(shown, run.openMessageId);
  const items = reading.items.reduce(upsertItem, open?.items ?? []);
  return open
    ? updateMessage(shown, open.id, (message) => withFields(message, { items }))
    : openDraft(shown, run.id, scope.at, { items });
}

/** Removes a step that only wraps calls: it has no name, or the call's. */
function withoutWrapper(steps: readonly RunStep[], parent: string | undefined): readonly RunStep[] {
  if (parent === undefined) return steps;
  const wrapper = steps.find((step) => step.id === parent && step.kind === 'step');
  if (!wrapper) return steps;
  const wraps = steps.some(
    (step) =>
      step.parentId === parent && step !== wrapper && (wrapper.name === '' || wrapper.name === step.name),
  );
  return wraps ? steps.filter((step) => step !== wrapper) : steps;
}

function endStep(conversation: Conversation, scope: ReducerScope, status: 'done' | 'failed'): Conversation {
  const ended = finishStep(conversation, scope, status);
  return ended === conversation ? ended : clearStatusLine(ended, scope.runKey);
}

function finishStep(
  conversation: Conversation,
  scope: ReducerScope,
  status: 'done' | 'failed',
): Conversation {
  const named = stepIdOf(scope.data);
  const taken = takeDetails(conversation, scope, detailsOf(scope.data), named);
  const current = findRun(taken, scope.runKey) ?? scope.run;
  const open = current.steps.findLast((step) => step.status === 'active' && step.parentId === undefined);
  const id = named ?? (open ?? current.steps.findLast((step) => step.status === 'active'))?.id;
  const names = namesOf(stepFields(scope.data), scope.data);
  const error = status === 'failed' ? errorTextOf(scope.data) : undefined;
  const concerns = (step: RunStep): boolean => step.id === id || (id !== undefined && step.parentId === id);
  if (!current.steps.some(concerns)) {
    // show the reason of a failure even if its step never started
    if (names.name === '' && error === undefined) return taken;
    const row: RunStep = {
      ...createStep(id ?? `step-${current.steps.length}`, 'step'),
      ...names,
      status,
      error,
    };
    return withSteps(taken, current, joinStep(current.steps, row));
  }
  const steps = current.steps.map((step) => {
    if (!concerns(step) || (step.id !== id && step.status !== 'active')) return step;
    const name = step.id === id && names.name !== '' ? names.name : step.name;
    return withFields(step, {
      name,
      status: step.status === 'failed' ? 'failed' : status,
      error: step.error ?? error,
    });
  });
  return withSteps(taken, current, shallowArrayEquals(steps, current.steps) ? current.steps : steps);
}

function withSteps(conversation: Conversation, run: Run, steps: readonly RunStep[]): Conversation {
  return updateRun(conversation, run.id, (current) => withFields(current, { steps }));
}

function stepFields(data: Fields): Fields {
  return isObject(data['step']) ? data['step'] : isObject(data['run_step']) ? data['run_step'] : data;
}

function stepIdOf(data: Fields): string | undefined {
  return firstString(data, 'step_id', 'run_step_id') ?? firstString(stepFields(data), 'id', 'step_id');
}

function detailsOf(data: Fields): unknown {
  const delta = asObject(data['delta']);
  const details = delta['step_details'] ?? data['step_details'] ?? stepFields(data)['step_details'];
  if (details !== undefined) return details;
  if (delta['tool_calls'] !== undefined || delta['tool_call_id'] !== undefined) return delta;
  return data['tool_calls'] !== undefined || data['tool_call_id'] !== undefined ? data : undefined;
}

function namesOf(step: Fields, data: Fields): Pick<RunStep, 'name' | 'agentName'> {
  const name = firstString(step, 'name', 'step_name', 'display_name', 'title', 'tool_name') ?? '';
  const agentName =
    firstString(step, 'agent_display_name', 'agent_name') ??
    firstString(data, 'agent_display_name', 'agent_name');
  return { name, agentName };
}

function errorTextOf(data: Fields): string | undefined {
  const step = stepFields(data);
  const fault = step['error'] ?? step['last_error'] ?? step['detail'] ?? step['message'] ?? step['reason'];
  return nonEmptyString(fault) ?? (readText(fault) || undefined);
}

/** Text of `data.message`, which services write as an object or a string. */
function messageText({ message }: Fields): string {
  return readText(isObject(message) ? (message['text'] ?? message['content']) : message);
}

function reasoningOf(detail: Fields): string {
  return readText(
    detail['thinking'] ?? detail['reasoning'] ?? detail['content'] ?? detail['text'] ?? detail['message'],
  );
}

/**
 * Appends a piece of reasoning, starts a line for a sentence, or replaces text that is sent whole each time. Models
 * that do not reason send a blank piece: it is no reasoning.
 */
function joinThinking(known: string, added: string): string {
  if (added === '' || known === '') return (known + added).trimStart();
  if (known.length > 8 && added.length >= known.length && added.startsWith(known)) return added;
  const isSentence = added.length > 20 && !/^\s/.test(added) && /[.!?…:]/.test(known.slice(-1));
  return known + (isSentence ? '\n' : '') + added;
}

/** Appends a status text as a line of its own, unless it repeats the last line. */
function addLine(known: string, line: string): string {
  if (line === '' || `\n${known}`.endsWith(`\n${line}\n`)) return known;
  return `${known}${known === '' || known.endsWith('\n') ? '' : '\n'}${line}\n`;
}
