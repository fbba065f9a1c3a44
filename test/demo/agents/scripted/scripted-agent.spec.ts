import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { runEventKinds, unlistedRunEventKinds } from '../../../../src/protocol/index.ts';
import { scriptedScenarios } from '../../../../demo/agents/scripted/scenarios.ts';
import { thanksFor } from '../../../../demo/agents/scripted/plays.ts';
import { sampleItems } from '../../../../demo/agents/scripted/items.ts';
import {
  atOnce,
  collect,
  say,
  spelled,
  startService,
  type RunningService,
} from '../../../service/running-service.ts';

let running: RunningService;
test.beforeAll(async () => {
  running = await startService();
});
test.afterAll(() => running.close());

const play = (text: string) =>
  collect(running.client().runStream(say(text, { agent_id: 'demo', ...atOnce })));

for (const kind of [...runEventKinds, ...unlistedRunEventKinds]) {
  test(`the scripted agent plays ${kind} on request`, async () => {
    const events = await play(`/event ${kind}`);
    expect(events.map((event) => event.event)).toContain(kind);
    expect(events.every((event) => event.data['run_id'] === events[0]?.data['run_id'])).toBe(true);
  });
}

test('the scripted agent uses images of the playground, which the widget shows without a click', () => {
  const sources = JSON.stringify(sampleItems).matchAll(/"response_type":"image","source":"([^"]*)"/g);
  const paths = [...sources].map(([, source = '']) => source);
  expect(paths.length).toBeGreaterThan(4);
  for (const path of new Set(paths)) {
    expect(path).toMatch(/^\//);
    expect(existsSync(fileURLToPath(new URL(`../../../../demo/public${path}`, import.meta.url)))).toBe(true);
  }
});

test('the scripted agent plays every content item', async () => {
  const events = await play('/items');
  const created = events.find((event) => event.event === 'message.created');
  const types = (created?.data['message'] as { content: { response_type: string }[] }).content.map(
    (item) => item.response_type,
  );
  expect(new Set(types)).toEqual(new Set(Object.values(sampleItems).map((item) => item.response_type)));
});

// not those whose stream breaks off, or waits for a callback
const completePlays = scriptedScenarios.filter(({ command }) => !['/drop', '/slot'].includes(command));
for (const { command } of completePlays) {
  test(`${command} plays to its end`, async () => {
    const events = await play(command);
    const last = events.at(-1)?.event;
    if (['/interrupt', '/approve'].includes(command)) expect(last).toBe('message.interrupt');
    else expect(last).toBe('done');
    expect(events[0]?.event).toBe('run.started');
  });
}

test('thanks for a form end with a sentence, not with a full stop below the list', () => {
  expect(thanksFor('that you would rather not')).toBe('Thank you, I noted that you would rather not.');
  expect(thanksFor('this:\n\n- **Boat**: Marigold\n\n')).toMatch(/Marigold\n\nYou will hear .*\.$/);
});

test('a long answer has the requested length and ends with a whole paragraph', async () => {
  const long = spelled(await play('/long 3000'));
  expect(long.length).toBeGreaterThan(2_700);
  expect(long.length).toBeLessThanOrEqual(3_000);
  expect(spelled(await play('/long 6000')).startsWith(`${long}\n`)).toBe(true);
  expect(spelled(await play('/long 1')).trimEnd()).toMatch(/\.$/);
});

test('free text is answered helpfully and the same every time', async () => {
  const first = spelled(await play('Which berths are free tonight?'));
  expect(first).toContain('C 14');
  expect(spelled(await play('Which berths are free tonight?'))).toBe(first);
  expect(spelled(await play('Something nobody thought of'))).toContain('Something nobody thought of');
});

test('the answer to a submitted form lists its data', async () => {
  expect(await submitArrival({ vessel: 'Marigold' })).toContain('**vessel**: Marigold');
});

test('the answer to an arrival form uses the form’s titles and order', async () => {
  const answer = await submitArrival(
    { nights: 2, electricity: true, remarks: 'Late', vessel: 'Marigold' },
    { dps_payload_id: 'payload-arrival-1' },
  );
  expect(answer).toContain(
    '- **Name of the boat**: Marigold\n- **Nights**: 2\n- **Electricity**: yes\n- **Anything else?** Late\n',
  );
});

test('the agent asks a question, waits for the visitor, and understands the reply', async () => {
  const client = running.client('skipper');
  const asked = await collect(client.runStream(say('/interrupt', { agent_id: 'demo', ...atOnce })));
  const question = asked.at(-1);
  const threadId = String(question?.data['thread_id']);
  const kept = await client.extensions.listMessages(threadId);
  expect(kept.at(-1)?.id).toBe(question?.data['message_id']);
  const answered = await collect(
    client.runStream({
      ...say('Yes, move her to D 3', { agent_id: 'demo', thread_id: threadId, ...atOnce }),
      message: {
        role: 'user',
        content: [{ response_type: 'text', text: 'Yes, move her to D 3' }],
        parent_message_id: String(question?.data['message_id']),
      },
    }),
  );
  expect(spelled(answered)).toContain('D 3');
});

/** Submits the arrival form with this data. Returns the text of the answer. */
async function submitArrival(
  form_data: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const item = {
    response_type: 'form_operation',
    id: 'arrival',
    form_operation: 'submit',
    ...fields,
    form_data,
  };
  const events = await collect(
    running.client().runStream({ agent_id: 'demo', ...atOnce, message: { role: 'user', content: [item] } }),
  );
  return spelled(events);
}
