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

interface Details {
  /** Whether the visitor sees arguments and results. */
  readonly showDetails: boolean;
}

/** The start of a vendor's tool. */
export function builtInStarted(
  { id, name, args }: BuiltInCall,
  { showDetails }: Details,
): readonly AgentEvent[] {
  const shownArgs = showDetails && args !== undefined ? { args } : {};
  return stepStarted({ id, name, title: titleOf(name), ...shownArgs });
}

/** The end of a vendor's tool. */
export function builtInEnded(
  { id, name }: BuiltInCall,
  { result, isError, showDetails }: Details & { readonly result: string; readonly isError: boolean },
): readonly AgentEvent[] {
  const content = showDetails ? result.slice(0, maxResultLength) : '';
  return stepEnded({ id, name, title: titleOf(name) }, { content, isError });
}
