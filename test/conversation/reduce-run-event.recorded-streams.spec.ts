import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { RunStreamDecoder } from '../../src/client/framing/index.ts';
import { reduceRunEvent } from '../../src/conversation/index.ts';
import { runEventKinds, unlistedRunEventKinds } from '../../src/protocol/run-event-kinds.ts';
import { fold, foldToEnd, recordedStreams, runKey, shown, startedAt } from './fold.ts';
import { isQuick } from '../tools/quick.ts';

const streams = recordedStreams();

test('recorded streams cover every kind of event', () => {
  const recorded = new Set(streams.flatMap(({ events }) => events.map(({ event }) => event)));
  const missing = [...runEventKinds, ...unlistedRunEventKinds].filter((kind) => !recorded.has(kind));
  expect(missing, 'record a stream of each in test/fixtures/streams').toEqual([]);
  expect(streams.length).toBeGreaterThanOrEqual(20);
});

for (const { name, bytes, events, expectedFile } of streams) {
  test(`the stream "${name}" folds to its conversation`, () => {
    const folded = shown(foldToEnd(events));
    // RECORD=1 writes the conversations, of a new stream or of a changed reducer. Read them before you commit them.
    if (process.env['RECORD'] === '1') writeFileSync(expectedFile, `${JSON.stringify(folded, null, 2)}\n`);
    expect(existsSync(expectedFile), 'write it with RECORD=1').toBe(true);
    expect(folded).toEqual(JSON.parse(readFileSync(expectedFile, 'utf8')));
  });

  test(`the stream "${name}" folds the same when its bytes come in two reads, split anywhere`, () => {
    const whole = JSON.stringify(shown(fold(events)));
    const recorded = JSON.stringify(events);
    const broken: number[] = [];
    for (let split = 0; split <= bytes.length; split += isQuick ? 7 : 1) {
      const decoder = new RunStreamDecoder();
      const decoded = [
        ...decoder.push(bytes.subarray(0, split)),
        ...decoder.push(bytes.subarray(split)),
        ...decoder.end(),
      ];
      // The same events fold the same; only others need folding.
      const isSame = JSON.stringify(decoded) === recorded;
      if (!isSame && JSON.stringify(shown(fold(decoded))) !== whole) broken.push(split);
    }
    expect(broken).toEqual([]);
  });

  test(`the stream "${name}" played twice changes nothing the second time`, () => {
    const once = fold(events);
    const twice = events.reduce(
      (conversation, event) => reduceRunEvent(conversation, event, { runKey, at: startedAt + 9_999 }),
      once,
    );
    expect(twice).toBe(once);
  });
}
