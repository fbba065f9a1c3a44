import { expect, test } from '@playwright/test';
import { startService, type RunningService } from './running-service.ts';

let service: RunningService;
test.beforeAll(async () => {
  service = await startService();
});
test.afterAll(() => service.close());

const mara = { kind: 'person', name: 'Mara', id: 'mara-7' };
const saysMara = (text: string) => ({
  content: [{ id: '1', response_type: 'text', text }],
  additional_properties: { author: mara },
});

/** A thread of the visitor, begun by a message that names a person as its author. */
async function begun(): Promise<string> {
  const message = { role: 'user', ...saysMara('Ahoy') };
  let threadId = '';
  for await (const { data } of service.client().runStream({ agent_id: 'echo', message }))
    threadId = String(data['thread_id']);
  return threadId;
}

async function authorsOf(threadId: string): Promise<unknown[]> {
  const response = await service.request('GET', `/api/v1/hub/threads/${threadId}/messages`);
  const { messages } = (await response.json()) as {
    messages: { additional_properties: { author: unknown } }[];
  };
  return messages.map(({ additional_properties: { author } }) => author);
}

test('what a visitor says about the author is ignored, in a run and in a callback', async () => {
  const threadId = await begun();
  const said = await service.request('POST', `/api/v1/callback/${threadId}`, { body: saysMara('It is me') });
  expect(said.status).toBe(201);
  const ada = { kind: 'visitor', id: 'ada' };
  expect(await authorsOf(threadId)).toEqual([ada, { kind: 'agent', id: 'echo' }, ada]);
});

test('the key of a server names the person it speaks for, and is named beside it', async () => {
  const threadId = await begun();
  const token = service.serverKey;
  const post = (author: unknown) =>
    service.request('POST', `/api/v1/callback/${threadId}`, {
      token,
      body: { ...saysMara('I will meet you at the quay.'), additional_properties: { author } },
    });
  expect((await post({ ...mara, server: 'another' })).status).toBe(201);
  expect((await authorsOf(threadId)).at(-1)).toEqual({ ...mara, server: 'backend' });
  for (const forged of [{ kind: 'visitor', id: 'ada' }, { kind: 'agent', id: 'echo' }, 'Mara']) {
    expect((await post(forged)).status).toBe(201);
    expect((await authorsOf(threadId)).at(-1)).toEqual({ kind: 'server', id: 'backend' });
  }
  for (const name of ['', ' ', 'M'.repeat(101), undefined]) {
    const refused = await post({ ...mara, name });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('must have 1 to 100 characters');
  }
});

test('half a character in a role, which is no text for SQLite, does not end the service', async () => {
  const threadId = await begun();
  const body = { ...saysMara('Ahoy'), role: '\\u\ud83d' };
  const path = `/api/v1/callback/${threadId}`;
  expect((await service.request('POST', path, { token: service.serverKey, body })).status).toBe(201);
  const list = await service.request('GET', '/api/v1/hub/threads');
  const { threads } = (await list.json()) as { threads: { last_message: { role: string } }[] };
  expect(threads[0]?.last_message.role).toBe('\\u\ufffd');
  const token = await service.token('ada \ud83d');
  expect((await service.request('GET', '/api/v1/hub/threads', { token })).status).toBe(401);
});
