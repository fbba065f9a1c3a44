import { blankStep } from '../factories.ts';
import type { RunStep } from '../conversation.ts';
import type { EventReducer } from '../reducer-types.ts';
import { fieldsOf, firstName, isFields, sameJson, textOf } from '../read-values.ts';
import { hasEnded } from '../run-status.ts';
import { findRun, updateMessage, updateRun, withFields } from '../update.ts';
import { statusLine } from './step.ts';

/** What the visitor said, as it was heard: replaced until it is final. */
export const transcription: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const source = isFields(data['transcription']) ? data['transcription'] : data;
  const text = textOf(
    source['transcript'] ??
      source['transcription'] ??
      source['text'] ??
      source['content'] ??
      source['message'] ??
      source['delta'],
  );
  if (text === '') return conversation;
  const final =
    source['final'] === true ||
    source['is_final'] === true ||
    source['status'] === 'final' ||
    source['status'] === 'completed';
  return updateMessage(conversation, findRun(conversation, scope.runKey)?.promptId, (message) => {
    const heard = message.transcription;
    if (heard?.final === true && (!final || scope.late)) return message;
    return heard?.text === text && heard.final === final
      ? message
      : { ...message, transcription: { text, final } };
  });
};

/** A summary of the conversation or the answer: its own block; pieces are appended. */
export const summary: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const piece = textOf(data['delta']);
  const whole = textOf(data['summary'] ?? data['text'] ?? data['content'] ?? data['message']);
  return updateRun(conversation, scope.runKey, (run) => {
    if (whole !== '') return withFields(run, { summary: whole });
    return piece === '' || scope.late ? run : { ...run, summary: run.summary + piece };
  });
};

/** The plan: its steps; or, when it is only words, a status line. */
export const planning: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const nested = fieldsOf(data['plan'] ?? data['planning'] ?? data['delta'] ?? data['message']);
  const list = [
    data['steps'],
    data['plan'],
    data['planning'],
    data['tasks'],
    nested['steps'],
    nested['tasks'],
    nested['plan'],
    nested['step_details'],
  ].find(Array.isArray);
  const run = findRun(conversation, scope.runKey);
  if (!run || scope.late) return conversation;
  if (!list) {
    const text = textOf(
      data['message'] ?? data['text'] ?? data['plan'] ?? data['planning'] ?? data['content'],
    );
    const message = isFields(data['message']) ? data['message'] : text;
    return statusLine(conversation, { ...scope, data: { ...data, message } });
  }
  const told = list.flatMap((entry: unknown, place): RunStep[] => planStep(entry, place, hasEnded(run)));
  const plan = told.filter((step, place) => told.findIndex(({ id }) => id === step.id) === place);
  return sameJson(plan, run.plan)
    ? conversation
    : updateRun(conversation, run.id, (current) => ({ ...current, plan }));
};

function planStep(entry: unknown, place: number, isOver: boolean): RunStep[] {
  const fields = fieldsOf(entry);
  const name =
    typeof entry === 'string'
      ? entry
      : (firstName(fields, 'title', 'name', 'description', 'text', 'step', 'task') ?? textOf(fields));
  if (name === '') return [];
  const status = planStatus(firstName(fields, 'status', 'state'));
  return [
    {
      ...blankStep(firstName(fields, 'id', 'step_id') ?? `plan-${place}`, 'plan'),
      name,
      agentName: firstName(fields, 'agent_display_name', 'agent_name', 'agent'),
      status: isOver && status === 'active' ? 'done' : status,
    },
  ];
}

function planStatus(word: string | undefined): RunStep['status'] {
  if (word === undefined) return 'pending';
  if (/^(done|complete|success|succeeded|finished|ok)/i.test(word)) return 'done';
  if (/^(fail|error)/i.test(word)) return 'failed';
  if (/^(cancel|skip|stop)/i.test(word)) return 'stopped';
  return /^(active|running|started|in.?progress|working|current)/i.test(word) ? 'active' : 'pending';
}
