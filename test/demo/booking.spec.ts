import { expect, test } from '@playwright/test';
import { createAgentClient } from '../../src/client/index.ts';
import type { RunEvent, RunRequest } from '../../src/protocol/index.ts';
import { answer, askedIn } from '../service/decisions/booking.ts';
import { collect, say, spelled } from '../service/running-service.ts';
import { startBooking, type BookingService } from './booking-service.ts';

let service: BookingService;
let send: (request: RunRequest) => Promise<RunEvent[]>;

test.beforeAll(async () => {
  service = await startBooking();
  const client = createAgentClient({ baseUrl: service.baseUrl, tokenProvider: service.token });
  send = (request) =>
    collect(
      client.runStream({
        ...request,
        agent_id: 'booking',
        additional_parameters: { ...request.additional_parameters, delay_ms: 0 },
      }),
    );
});
test.afterAll(() => service.close());

const threadOf = (events: readonly RunEvent[]) => String(events[0]?.data['thread_id']);

test('the booking agent finds a berth, asks before it books, books on approval, and cancels later', async () => {
  const asked = await send(say('Book a berth for the Petrel, 9 m, 3 nights'));
  expect(askedIn(asked).map(({ name, form_data: data }) => [name, data])).toEqual([
    ['Book a berth', { berth: 'A4', boat: 'Petrel', nights: 3 }],
  ]);
  const booked = await send(answer(asked, 'submit'));
  expect(spelled(booked)).toContain('Your number is **HB-1001**');
  const cancel = await send(say('Please cancel it', { thread_id: threadOf(asked) }));
  expect(askedIn(cancel)[0]?.form_data).toEqual({ booking: 'HB-1001' });
  expect(spelled(await send(answer(cancel, 'submit')))).toContain('HB-1001 is cancelled.');
});

test('of two decisions that are asked at once, one can be approved and the other declined', async () => {
  const asked = await send(say('Book B2 for the Wal and cancel HB-1001'));
  expect(askedIn(asked).map(({ name }) => name)).toEqual(['Cancel a booking', 'Book a berth']);
  await send(answer(asked, 'submit', {}, 1));
  const last = spelled(await send(answer(asked, 'cancel', { reason: 'still needed' }, 0)));
  expect(last).toContain('still needed');
  expect(last).toContain('berth **B2**');
});

test('the booking agent sounds the depth with progress, and says what it can do', async () => {
  const events = await send(say('How deep is A4?'));
  expect(spelled(events)).toContain('3.4 m');
  // the last of them may come with the result, and is outdated then
  expect(JSON.stringify(events)).toContain('Lowering the lead');
  expect(spelled(await send(say('Hello')))).toContain('I ask before I do anything');
});

test('the booking agent does not claim that nothing happened on a page that was left meanwhile', async () => {
  const tools = { page_tools: [{ name: 'highlight_berth', title: 'Highlight a berth' }] };
  for (const [error, words] of [
    ['interrupted', 'I do not know whether the map shows it'],
    ['declined', 'I did not show it on the map.'],
  ] as const) {
    const asked = await send(say('Show B2 on the map', { additional_parameters: tools }));
    const id = /"type":"page_tool_call","id":"([^"]+)"/.exec(JSON.stringify(asked))?.[1];
    const result = { type: 'page_tool_result', id, error };
    const content = [{ response_type: 'user_defined', user_defined: result }];
    const told = await send({ message: { role: 'user', content }, thread_id: threadOf(asked) });
    expect(spelled(told)).toContain(words);
  }
});

test('the booking agent says that a page without a map cannot show a berth', async () => {
  const events = await send(say('Show B2 on the map'));
  expect(spelled(events)).toContain('This page has no map.');
  expect(JSON.stringify(events)).not.toContain('page_tool_call');
});
