import { expect, test } from '@playwright/test';
import { runTool } from '../../../../src/widget/runtime/page-tools/run-tool.ts';

const run = (execute: (args: object, options: { signal: AbortSignal }) => unknown, limit?: number) =>
  runTool({ name: 'tool', execute }, { berth: 'C 14' }, limit);

test('a result is text or JSON', async () => {
  expect(await run(() => 'Done')).toEqual({ content: 'Done' });
  expect(await run((args) => Promise.resolve({ args }))).toEqual({ content: { args: { berth: 'C 14' } } });
  expect(await run(() => undefined)).toEqual({ content: '' });
});

test('an error is told, whether it is thrown at once or later', async () => {
  const fail = (): never => {
    throw new Error('No such berth');
  };
  expect(await run(fail)).toEqual({ error: 'No such berth' });
  expect(await run(() => Promise.reject(new Error('No such berth')))).toEqual({ error: 'No such berth' });
});

test('a tool whose result is not JSON ran all the same', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const odd of [Symbol('odd'), 10n, circle, () => 'later'])
    expect(await run(() => odd)).toEqual({ content: 'The function ran. Its result is not JSON.' });
});

test('whatever a tool throws, the agent is told', async () => {
  const thrown = (value: unknown): Promise<unknown> =>
    run(() => {
      throw value;
    });
  expect(await thrown('sold out')).toEqual({ error: 'sold out' });
  expect(await thrown({ code: 7, message: 'Bad article' })).toEqual({ error: 'Bad article' });
  for (const wordless of [undefined, null, {}, Object.create(null), new Error('')])
    expect(await thrown(wordless)).toEqual({ error: 'No reason given' });
  // which the visitor did not say
  expect(await thrown(new Error('declined'))).toEqual({ error: 'The tool says: declined' });
});

test('a tool that takes too long is aborted', async () => {
  let signal: AbortSignal | undefined;
  const forever = (_args: object, options: { signal: AbortSignal }): Promise<never> => {
    signal = options.signal;
    return new Promise(() => undefined);
  };
  expect(await run(forever, 5)).toEqual({ error: 'timeout' });
  expect(signal?.aborted).toBe(true);
});

test('a long result is cut', async () => {
  const { content } = (await run(() => 'x'.repeat(100_000))) as { content: string };
  expect(content.length).toBeLessThan(66_000);
  expect(content).toMatch(/cut\)$/);
});
