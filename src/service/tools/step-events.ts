import { isPageCall } from './page-tools.ts';
import type { CallRecord, CallState, JsonObject } from './tool-call.ts';

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

/** A tool, as its step names it. */
interface ShownTool {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** The system that it acts on. */
  readonly server?: string;
}

/** The step of a tool starts. @source wire, section 4 */
export function stepStarted(call: ShownTool & { readonly args?: unknown }): readonly LoopEvent[] {
  return [
    { event: 'run.step.started', data: { step_id: stepId(call.id) } },
    stepDelta(call.id, { type: 'tool_calls', tool_calls: [call] }),
  ];
}

/**
 * The step of a tool has ended.
 * @param end.error shown where it failed
 * @param end.outcome why it did not happen, or that nobody knows
 */
export function stepEnded(
  { id, ...tool }: ShownTool,
  end: {
    readonly content: string;
    readonly isError: boolean;
    readonly error?: string | undefined;
    readonly outcome?: string | undefined;
  },
): readonly LoopEvent[] {
  const { content, isError, error, outcome } = end;
  const response = { type: 'tool_response', ...tool, tool_call_id: id, content };
  const step_id = stepId(id);
  if (!isError) return [stepDelta(id, response), { event: 'run.step.completed', data: { step_id } }];
  return [
    stepDelta(id, { ...response, is_error: true, ...(outcome === undefined ? {} : { outcome }) }),
    { event: 'run.step.failed', data: { step_id, ...(error === undefined ? {} : { error }) } },
  ];
}

/** A call starts, or waits for the visitor. */
export function callStarted(call: CallRecord, { details }: StepOptions): readonly LoopEvent[] {
  return stepStarted({ ...toolOf(call), ...(details ? { args: call.args } : {}) });
}

/** States of calls that did not fail, and have no result. */
const outcomes: ReadonlySet<CallState> = new Set(['unknown', 'declined', 'expired']);

/** A call has ended. @param text the result as the model reads it */
export function callEnded(
  call: CallRecord,
  { text, isError }: { readonly text: string; readonly isError: boolean },
  { details }: StepOptions,
): readonly LoopEvent[] {
  return stepEnded(toolOf(call), {
    content: details ? text : '',
    isError,
    error: details ? text : undefined,
    outcome: outcomes.has(call.state) ? call.state : undefined,
  });
}

/** More of the model's reasoning. */
export function thinkingEvent(thinking: string): LoopEvent {
  return { event: 'run.step.thinking', data: { thinking } };
}

/** The status line while a call runs. */
export function callProgress(text: string): LoopEvent {
  return { event: 'run.step.intermediate', data: { message: { key: 'toolProgress', text } } };
}

/** The tool of a call; without a server for the visitor's own page. */
function toolOf(call: CallRecord): ShownTool {
  const { id, name, title, server } = call;
  return { id, name, title, ...(isPageCall(call) ? {} : { server }) };
}

function stepDelta(id: string, detail: JsonObject): LoopEvent {
  const delta = { role: 'assistant', step_details: [detail] };
  return { event: 'run.step.delta', data: { step_id: stepId(id), delta } };
}

function stepId(id: string): string {
  return `step-${id}`;
}
