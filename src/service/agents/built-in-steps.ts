import { titleOf } from '../tools/tool-names.ts';
import type { AgentEvent } from './agent.ts';

/** A tool that the model's vendor executes. */
export interface BuiltInCall {
  readonly id: string;
  /** Like `web_search`. */
  readonly name: string;
  readonly args?: unknown;
}

/** Longest result that is shown, in characters. */
const maxResultLength = 4_000;

/** A vendor's tool starts. @param details whether arguments are included */
export function builtInStarted({ id, name, args }: BuiltInCall, details: boolean): readonly AgentEvent[] {
  const call = { id, name, title: titleOf(name), ...(details && args !== undefined ? { args } : {}) };
  return [
    { event: 'run.step.started', data: { step_id: stepId(id) } },
    stepDelta(id, { type: 'tool_calls', tool_calls: [call] }),
  ];
}

/** A vendor's tool has ended. @param result shown if there are `details` */
export function builtInEnded(
  { id, name }: BuiltInCall,
  { result, isError }: { readonly result: string; readonly isError: boolean },
  details: boolean,
): readonly AgentEvent[] {
  const response = {
    type: 'tool_response',
    name,
    title: titleOf(name),
    tool_call_id: id,
    content: details ? result.slice(0, maxResultLength) : '',
    ...(isError ? { is_error: true } : {}),
  };
  return [
    stepDelta(id, response),
    { event: isError ? 'run.step.failed' : 'run.step.completed', data: { step_id: stepId(id) } },
  ];
}

function stepDelta(id: string, detail: Readonly<Record<string, unknown>>): AgentEvent {
  const delta = { role: 'assistant', step_details: [detail] };
  return { event: 'run.step.delta', data: { step_id: stepId(id), delta } };
}

function stepId(id: string): string {
  return `step-${id}`;
}
