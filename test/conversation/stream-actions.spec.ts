import { expect, test } from '@playwright/test';
import { breakOff, endStream, interruption, resumeRun } from '../../src/conversation/stream-actions.ts';
import { runKey, startedAt, submitted } from './fold.ts';

const at = startedAt + 1;

test('a stream that ends before its first event leaves no message sending', () => {
  const ended = endStream(submitted(), runKey, at);
  expect(ended.runs.map(({ status }) => status)).toEqual(['interrupted']);
  expect(ended.messages.map(({ status }) => status)).toEqual(['sent']);
});

test('a message stays sent while its broken run is read again', () => {
  const broken = breakOff(submitted(), runKey, { failure: interruption('reset'), at });
  const resumed = resumeRun(broken, runKey);
  expect(resumed.runs.map(({ status }) => status)).toEqual(['streaming']);
  expect(resumed.messages.map(({ status }) => status)).toEqual(['sent']);
});
