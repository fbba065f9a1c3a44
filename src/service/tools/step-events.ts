import { isPageCall } from './page-tools.ts';
import type { CallRecord, JsonObject } from './tool-call.ts';

/** An event of the loop, as an agent yields it. */
export interface LoopEvent {
  readonly event: string;
  readonly data: JsonObject;
}

/** How steps are sent to the visitor. */
export interface StepOptions {
  /** Whether arguments and results are included. */
  readonly details: boolean;
}

/** A call starts, or waits for the visitor. @source wire, section 4 */
export function callStarted(call: CallRecord, { details }: StepOptions): readonly LoopEvent[] {
  const { id, name, title, args } = call;
  const toolCall = { id, name, title, ...serverOf(call), ...(details ? { args } : {}) };
  return [
    { event: 'run.step.started', data: { step_id: stepId(call) } },
    stepDelta(call, { type: 'tool_calls', tool_calls: [toolCall] }),
  ];
}

/** A call has ended. @param text the result as the model reads it */
export function callEnded(
  call: CallRecord,
  result: { readonly text: string; readonly isError: boolean },
  { details }: StepOptions,
): readonly LoopEvent[] {
  const { text, isError } = result;
  const response = {
    type: 'tool_response',
    name: call.name,
    title: call.title,
    ...serverOf(call),
    tool_call_id: call.id,
    content: details ? text : '',
    ...(isError ? { is_error: true } : {}),
  };
  return [
    stepDelta(call, response),
    isError
      ? { event: 'run.step.failed', data: { step_id: stepId(call), ...(details ? { error: text } : {}) } }
      : { event: 'run.step.completed', data: { step_id: stepId(call) } },
  ];
}

/** The status line while a call runs. */
export function callProgress(text: string): LoopEvent {
  return { event: 'run.step.intermediate', data: { message: { key: 'toolProgress', text } } };
}

function stepDelta(call: CallRecord, detail: JsonObject): LoopEvent {
  const delta = { role: 'assistant', step_details: [detail] };
  return { event: 'run.step.delta', data: { step_id: stepId(call), delta } };
}

/** The system that a call acts on; absent for the visitor's own page. */
function serverOf(call: CallRecord): { readonly server?: string } {
  return isPageCall(call) ? {} : { server: call.server };
}

function stepId({ id }: CallRecord): string {
  return `step-${id}`;
}
