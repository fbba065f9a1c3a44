import { readdirSync, readFileSync } from 'node:fs';
import {
  addPrompt,
  beginRun,
  emptyConversation,
  endStream,
  reduceRunEvent,
} from '../../src/conversation/index.ts';
import type { Conversation } from '../../src/conversation/index.ts';
import type { RunEvent } from '../../src/protocol/index.ts';

/** The key of the one run that a recorded stream is folded into. */
export const runKey = 'turn';

/** When a recorded stream is said to have begun, in milliseconds since the epoch. */
export const startedAt = 1_770_000_000_000;

const folder = new URL('../fixtures/streams/', import.meta.url);

/** A stream as it was recorded, and the conversation it folds to. */
export interface RecordedStream {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly events: readonly RunEvent[];
  readonly expectedFile: URL;
}

/** Every recorded stream of `test/fixtures/streams/`. */
export function recordedStreams(): readonly RecordedStream[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ndjson'))
    .sort()
    .map((file) => {
      const bytes = readFileSync(new URL(file, folder));
      const events = bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as RunEvent); // fixtures are written as events
      return {
        name: file.replace('.ndjson', ''),
        bytes,
        events,
        expectedFile: new URL(file.replace('.ndjson', '.conversation.json'), folder),
      };
    });
}

/** A conversation in which one prompt was just posted. */
export function submitted(): Conversation {
  const source = { response_type: 'text', text: 'What about my berth?' };
  const items = [{ id: 'item-0', type: 'text', text: source.text, source }];
  const said = addPrompt(emptyConversation, { id: runKey, items, clientMessageId: runKey }, startedAt);
  return beginRun(said, runKey, { at: startedAt });
}

/** Folds events, one millisecond apart, without the end of the stream. */
export function fold(events: readonly RunEvent[], from: Conversation = submitted()): Conversation {
  return events.reduce(
    (conversation, event, index) =>
      reduceRunEvent(conversation, event, { runKey, at: startedAt + 1 + index }),
    from,
  );
}

/** Folds events and closes the stream. */
export function foldToEnd(events: readonly RunEvent[]): Conversation {
  return endStream(fold(events), runKey, startedAt + 1 + events.length);
}

/** The conversation as JSON, without the memory of applied events. */
export function shown(conversation: Conversation): unknown {
  const runs = conversation.runs.map((run) => ({ ...run, applied: undefined }));
  return JSON.parse(JSON.stringify({ ...conversation, runs }));
}
