import { expect, test } from '@playwright/test';
import { createAgentClient } from '../../src/client/index.ts';

test('a stack trace names lines of tests and of sources as they are written, without the runner', () => {
  const trace = String(new Error('here').stack);
  expect(trace).toMatch(/^Error: here\n/);
  expect(trace).toContain('test/tools/stack-lines.spec.ts:5:');
  expect(trace).not.toContain('/node_modules/playwright');
  let failure: unknown;
  try {
    createAgentClient(undefined as never); // as JavaScript may
  } catch (error) {
    failure = error;
  }
  expect((failure as Error).stack).toMatch(/src\/client\/create-agent-client\.ts:2\d:/);
});
