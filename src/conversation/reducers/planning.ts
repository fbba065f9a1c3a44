import { isObject, sameJson } from '../../protocol/json.ts';
import type { RunStep } from '../conversation.ts';
import { createStep } from '../factories.ts';
import { asObject, firstString, readText } from '../read-values.ts';
import type { EventReducer } from '../reducer-types.ts';
import { hasEnded } from '../run-status.ts';
import { updateRun } from '../update.ts';
import { statusLine } from './step.ts';

/** Stores the agent's plan as steps. A text-only plan becomes the status line. */
export const planning: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const nested = asObject(data['plan'] ?? data['planning'] ?? data['delta'] ?? data['message']);
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
  const { run } = scope;
  if (scope.late) return conversation;
  if (!list) {
    const text = readText(
      data['message'] ?? data['text'] ?? data['plan'] ?? data['planning'] ?? data['content'],
    );
    const message = isObject(data['message']) ? data['message'] : text;
    return statusLine(conversation, { ...scope, data: { ...data, message } });
  }
  const steps = list.flatMap((entry: unknown, index): RunStep[] => planStep(entry, index, hasEnded(run)));
  const plan = steps.filter((step, index) => steps.findIndex(({ id }) => id === step.id) === index);
  return sameJson(plan, run.plan)
    ? conversation
    : updateRun(conversation, run.id, (current) => ({ ...current, plan }));
};

function planStep(entry: unknown, index: number, isOver: boolean): RunStep[] {
  const fields = asObject(entry);
  const name =
    typeof entry === 'string'
      ? entry
      : (firstString(fields, 'title', 'name', 'description', 'text', 'step', 'task') ?? readText(fields));
  if (name === '') return [];
  const status = planStatus(firstString(fields, 'status', 'state'));
  return [
    {
      ...createStep(firstString(fields, 'id', 'step_id') ?? `plan-${index}`, 'plan'),
      name,
      agentName: firstString(fields, 'agent_display_name', 'agent_name', 'agent'),
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
