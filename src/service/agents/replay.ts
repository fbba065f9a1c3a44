import { readFileSync } from 'node:fs';
import type { Agent, AgentEvent, AgentRun } from './agent.ts';
import { waitAtPace } from './pace.ts';

interface Recorded {
  /** Time since the previous event, in ms. */
  readonly delayMs: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Longest replayed pause, in ms. */
const maxPauseMs = 5_000;

/**
 * Creates an agent that replays a recorded run stream: one JSON object per line, server-sent events, or a
 * JSON array. Pauses follow `at` or the event ids. The ids of the recorded run, thread and messages are
 * replaced.
 * @throws Error when the file cannot be read or contains no event
 */
export function replayAgent(file: string): Agent {
  const events = readRecording(readFileSync(file, 'utf8'));
  if (events.length === 0) throw new Error('contains no run event');
  return {
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      for (const { delayMs, event, data } of events) {
        await waitAtPace(run, delayMs);
        yield { event, data };
      }
    },
  };
}

/** Reads a recording. Lines that are not events are skipped. */
export function readRecording(text: string): Recorded[] {
  let before: number | undefined;
  return records(text).flatMap((record): Recorded[] => {
    if (typeof record !== 'object' || record === null) return [];
    const { id, event, data, at } = record as Record<string, unknown>; // each field is checked below
    if (typeof event !== 'string' || event === 'recording.started') return [];
    const time =
      typeof at === 'number'
        ? at
        : typeof id === 'string'
          ? Number(/^(\d{10,15})-/.exec(id)?.[1] ?? NaN)
          : NaN;
    const delayMs =
      Number.isFinite(time) && before !== undefined ? Math.min(Math.max(0, time - before), maxPauseMs) : 0;
    if (Number.isFinite(time)) before = time;
    return [{ delayMs, event, data: withoutIds(data) }];
  });
}

function records(text: string): unknown[] {
  try {
    const whole: unknown = JSON.parse(text);
    if (Array.isArray(whole)) return whole;
  } catch {
    // Not a single JSON value: read it line by line.
  }
  let name: string | undefined;
  let id: string | undefined;
  return text.split(/\r\n|\n|\r/).flatMap((line): unknown[] => {
    const field = /^(event|id): ?(.*)$/.exec(line);
    if (field?.[1] === 'event') name = field[2];
    else if (field?.[1] === 'id') id = field[2];
    if (field) return [];
    const value = parsed(line.replace(/^data: ?/, ''));
    if (typeof value !== 'object' || value === null) return [];
    return ['event' in value ? value : { id, event: name, data: value }];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function withoutIds(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {};
  const {
    run_id: _run,
    thread_id: _thread,
    agent_id: _agent,
    message_id: _id,
    message,
    ...rest
  } = data as Record<string, unknown>; // an object
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return message === undefined ? rest : { ...rest, message };
  const { id: _message, parent_message_id: _parent, ...kept } = message as Record<string, unknown>; // an object
  return { ...rest, message: kept };
}
