import { expect, test } from '@playwright/test';
import type { MessageCompleteEvent, RunEndEvent } from '../../../src/widget/events/chat-events.ts';
import { RunEventDispatcher } from '../../../src/widget/runtime/run-event-dispatcher.ts';
import { begin, finish, Harness } from '../../session/harness.ts';
import { settle } from '../../session/manual-clock.ts';

test('a retried run starts and ends again for the page', async () => {
  const harness = new Harness();
  const target = new EventTarget();
  const teller = new RunEventDispatcher(target);
  const heard: string[] = [];
  target.addEventListener('agent-chat-run-start', () => heard.push('start'));
  target.addEventListener('agent-chat-run-end', (event) => heard.push((event as RunEndEvent).status)); // its type
  harness.session.subscribe(() => teller.dispatchChanges(harness.session.conversation));
  const { stream, turn } = await harness.say('hello');
  stream.open().emit('run.started', { run_id: 'R', thread_id: 'T' }).emit('run.failed', { error: 'busy' });
  stream.emit('done').close();
  await turn;
  expect(heard).toEqual(['start', 'failed']);
  const again = harness.session.retry();
  await settle();
  finish(begin(harness.client.posts[1]!, 'R2'), 'here you are');
  await again;
  expect(heard).toEqual(['start', 'failed', 'start', 'completed']);
});

test('a run starts for the page also when its id is known before the first look at it', async () => {
  const harness = new Harness();
  const target = new EventTarget();
  const teller = new RunEventDispatcher(target);
  const heard: string[] = [];
  target.addEventListener('agent-chat-run-start', () => heard.push('start'));
  target.addEventListener('agent-chat-run-end', (event) => heard.push((event as RunEndEvent).status)); // its type
  const { stream, turn } = await harness.say('hello');
  stream.open('R');
  await settle();
  // a page that is swapping its body draws late
  teller.dispatchChanges(harness.session.conversation);
  finish(begin(stream), 'here you are');
  await turn;
  teller.dispatchChanges(harness.session.conversation);
  expect(heard).toEqual(['start', 'completed']);
});

test('messages and end of a run that asks back are dispatched once', async () => {
  const harness = new Harness();
  const target = new EventTarget();
  const teller = new RunEventDispatcher(target);
  const heard: string[] = [];
  target.addEventListener('agent-chat-message-complete', () => heard.push('message'));
  target.addEventListener('agent-chat-run-end', (event) => heard.push((event as RunEndEvent).status)); // its type
  harness.session.subscribe(() => teller.dispatchChanges(harness.session.conversation));
  const { stream, turn } = await harness.say('book a berth');
  const message = {
    id: 'Q',
    role: 'assistant',
    content: [{ id: '1', response_type: 'text', text: 'When?' }],
  };
  begin(stream).emit('message.interrupt', { message }).emit('run.completed').emit('done').close();
  await turn;
  expect(heard).toEqual(['message', 'waiting']);
  const reply = await harness.say('tomorrow');
  finish(begin(reply.stream, 'R2'), 'Booked.', 'M2');
  await reply.turn;
  expect(heard).toEqual(['message', 'waiting', 'message', 'completed']);
});

test('a message by callback is dispatched once, too', async () => {
  const target = new EventTarget();
  const teller = new RunEventDispatcher(target);
  const heard: unknown[] = [];
  target.addEventListener(
    'agent-chat-message-complete',
    (event) => heard.push((event as MessageCompleteEvent).messageId), // its type
  );
  const harness: Harness = new Harness({
    onCallback: () => teller.dispatchLatest(harness.session.conversation),
  });
  harness.session.subscribe(() => teller.dispatchChanges(harness.session.conversation));
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  const message = {
    id: 'C1',
    role: 'assistant',
    content: [{ id: '1', response_type: 'text', text: 'Ready.' }],
  };
  for (let times = 0; times < 2; times += 1) {
    harness.client.threads[0]!.open().emit('message.created', { thread_id: 'T', message_id: 'C1', message });
    await settle();
  }
  expect(heard).toEqual(['M1', 'C1']);
});
