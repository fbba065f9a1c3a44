import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { say, spelled } from '../../service/running-service.ts';
import { hasRuntime } from './backend-process.ts';
import { startBackendService, type BackendService } from './backend-service.ts';

test.beforeAll(() => {
  test.skip(!hasRuntime('python3'), 'skipped: python3 is not installed');
});

let service: BackendService;
test.beforeAll(async () => {
  service = await startBackendService('python3', ['decide.py', '0']);
});
test.afterAll(() => service.close());

interface Question {
  readonly id: string;
  readonly form_data: Readonly<Record<string, unknown>>;
}

/** Asks for a berth. Returns how to answer the decision. */
async function question(): Promise<{
  readonly item: Question;
  readonly answer: (change: object) => Promise<RunEvent[]>;
}> {
  const events = await service.ask(say('Book a berth'));
  const message = events.find(({ event }) => event === 'message.interrupt')?.data['message'];
  const [item] = (message as { content: [Question] }).content; // as the sample sends it
  const answered = { ...item, response_type: 'form_operation', form_operation: 'submit' };
  return {
    item,
    answer: (change) =>
      service.ask({
        thread_id: String(events[0]?.data['thread_id']),
        message: { role: 'user', content: [{ ...answered, ...change }] },
      }),
  };
}

test('an http back end asks by itself: what is approved happens once, whoever answers later', async () => {
  const { item, answer } = await question();
  expect(item).toMatchObject({ sub_type: 'tool_approval', form_data: { berth: 'A4', nights: 2 } });
  expect(spelled(await answer({}))).toBe('Berth A4 is booked for 2 nights.');
  for (const form_operation of ['submit', 'cancel'])
    await expect(answer({ form_operation })).rejects.toMatchObject({
      status: 409,
      body: expect.stringContaining(`"decision":{"id":"${item.id}","state":"approved"}`),
    });
});

test('an http back end reads changed arguments, checks them itself, and hears of a refusal', async () => {
  const changed = await question();
  expect(spelled(await changed.answer({ form_data: { ...changed.item.form_data, nights: 3 } }))).toBe(
    'Berth A4 is booked for 3 nights.',
  );
  const forged = await question();
  expect(spelled(await forged.answer({ form_data: { nights: 99 } }))).toContain('1 to 14 nights');
  const declined = await question();
  expect(spelled(await declined.answer({ form_operation: 'cancel', reason: 'too dear' }))).toBe(
    'I booked nothing.',
  );
});

test('an answer to a decision that no back end asked for is refused', async () => {
  const { answer } = await question();
  await expect(answer({ id: 'another' })).rejects.toMatchObject({ status: 404 });
});
