import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../src/conversation/index.ts';
import { ChatSession } from '../../src/session/index.ts';
import { FakeClient } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { ManualClock, settle } from './manual-clock.ts';

test('a turn streams into the conversation and ends with done', async () => {
  const client = new FakeClient();
  const session = new ChatSession({
    client,
    settings: () => ({ agentId: 'demo' }),
    clock: new ManualClock(),
  });
  let changes = 0;
  session.subscribe(() => {
    changes += 1;
  });
  const turn = session.send('When is high tide?');
  await settle();
  const stream = client.posts[0]!;
  expect(stream.request?.message.content).toEqual([{ response_type: 'text', text: 'When is high tide?' }]);
  expect(stream.request?.agent_id).toBe('demo');
  expect(session.connection).toBe('connecting');
  stream.open().emit('run.started', { run_id: 'R', thread_id: 'T' }).emit('message.started');
  stream.emit('message.delta', { delta: { content: [{ id: '1', response_type: 'text', text: 'At ' }] } });
  stream.emit('message.delta', { delta: { content: [{ id: '1', response_type: 'text', text: 'noon.' }] } });
  await settle();
  expect(session.connection).toBe('streaming');
  expect(session.busy).toBe(true);
  expect(session.canStop).toBe(true);
  expect(session.conversation.messages.at(-1)?.items[0]?.text).toBe('At noon.');
  stream.emit('message.completed').emit('run.completed').emit('done').close();
  await turn;
  expect(session.conversation.threadId).toBe('T');
  expect(session.conversation.runs[0]?.status).toBe('completed');
  expect(session.conversation.messages.map(({ status }) => status)).toEqual(['sent', 'complete']);
  expect(session.busy).toBe(false);
  expect(session.connection).toBe('idle');
  expect(changes).toBeGreaterThan(6);
});

test('changes of another tab are adopted, except during a run', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'half');
  await settle();
  harness.session.adopt(() => emptyConversation);
  expect(harness.answer).toBe('half');
  finish(stream, 'half and half');
  await turn;
  harness.session.adopt(() => emptyConversation);
  expect(harness.transcript).toEqual([]);
});

test('a removed listener is not called, the others are', () => {
  const { session } = new Harness();
  const heard: string[] = [];
  const leave = session.subscribe(() => heard.push('one'));
  session.subscribe(() => heard.push('other'));
  leave();
  session.adopt((conversation) => ({ ...conversation }));
  expect(heard).toEqual(['other']);
});
