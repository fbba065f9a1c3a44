import { stepEnded, stepStarted } from '../tools/step-events.ts';
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
  return stepStarted({ id, name, title: titleOf(name), ...(details && args !== undefined ? { args } : {}) });
}

/** A vendor's tool has ended. @param result shown if there are `details` */
export function builtInEnded(
  { id, name }: BuiltInCall,
  { result, isError }: { readonly result: string; readonly isError: boolean },
  details: boolean,
): readonly AgentEvent[] {
  const content = details ? result.slice(0, maxResultLength) : '';
  return stepEnded({ id, name, title: titleOf(name) }, { content, isError });
}
