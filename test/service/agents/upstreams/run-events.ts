import { readFileSync } from 'node:fs';
import type { RunEvent } from '../../../../src/protocol/index.ts';
import type { ServiceChild } from '../../service-child.ts';

/** Returns the names of events. */
export function kinds(events: readonly RunEvent[]): string[] {
  return events.map(({ event }) => event);
}

/** Returns the data of `run.failed`; `undefined` if the run did not fail. */
export function failure(events: readonly RunEvent[]): RunEvent['data'] | undefined {
  return events.find(({ event }) => event === 'run.failed')?.data;
}

/** Returns the text of the completed message. */
export function textOfMessage(events: readonly RunEvent[]): string {
  const message = events.find(({ event }) => event === 'message.created')?.data['message'];
  return (message as { content: { text: string }[] }).content.map(({ text }) => text).join('');
}

/** Returns the reasoning that was shown. */
export function thoughtsIn(events: readonly RunEvent[]): string {
  return events
    .filter(({ event }) => event === 'run.step.thinking')
    .map(({ data }) => String(data['thinking']))
    .join('');
}

interface Detail {
  readonly tool_calls?: readonly { id: string; name: string; args: unknown }[];
  readonly tool_call_id?: string;
  readonly content?: string;
}

function detailsIn(events: readonly RunEvent[]): readonly Detail[] {
  return events
    .filter(({ event }) => event === 'run.step.delta')
    .flatMap(({ data }) => (data['delta'] as { step_details: Detail[] }).step_details);
}

/** Returns the tool calls that were shown. */
export function callsIn(events: readonly RunEvent[]): { id: string; name: string; args: unknown }[] {
  const calls = detailsIn(events).flatMap(({ tool_calls: made = [] }) => made);
  return calls.map(({ id, name, args }) => ({ id, name, args }));
}

/** Returns the results of tool calls that were shown. */
export function resultsIn(events: readonly RunEvent[]): unknown[] {
  return detailsIn(events).flatMap(({ tool_call_id: id, content }) =>
    id === undefined ? [] : [{ id, content }],
  );
}

/** Resident bytes of the service's process. */
export function memoryOf({ process: { pid } }: ServiceChild): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}
