import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../src/conversation/index.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle, settleImports } from './manual-clock.ts';

/** What a new thread may race with: each leaves a harness in which something is still on its way. */
const races: Readonly<Record<string, (harness: Harness) => Promise<() => void>>> = {
  'a callback message': async (harness) => {
    harness.session.startFollowing();
    await harness.exchange('hello', 'answer', 'M1');
    const thread = harness.client.threads[0]!.open();
    const message = { id: 'C1', role: 'assistant', content: [{ response_type: 'text', text: 'late' }] };
    thread.emit('message.created', { thread_id: 'T', message_id: 'C1', message });
    return () => undefined;
  },
  'an answer': async (harness) => {
    const { stream } = await harness.say('hello');
    begin(stream);
    await settle();
    return () => {
      delta(stream, 'late');
      finish(stream, 'late', 'M1');
    };
  },
  'the very first word of a run': async (harness) => {
    const { stream } = await harness.say('hello');
    return () => {
      finish(delta(begin(stream), 'late'), 'late', 'M1');
    };
  },
  'a turn in the queue': async (harness) => {
    const { stream } = await harness.say('hello');
    begin(stream);
    void harness.session.send('and then');
    await settle();
    return () => finish(stream, 'late', 'M1');
  },
  'a form on its way to the callback': async (harness) => {
    harness.settings = { formSubmit: 'callback' };
    await harness.exchange('hello', 'answer', 'M1');
    const asked = harness.session.conversation.messages.at(-1)!;
    void harness.session.answer(asked.id, asked.items[0]!.id, { action: 'submit', data: { name: 'Ada' } });
    return () => undefined;
  },
  'the history of the old thread': async (harness) => {
    await harness.exchange('hello', 'answer', 'M1');
    harness.client.history = [
      { id: 'H1', thread_id: 'T', role: 'assistant', content: [{ response_type: 'text', text: 'old' }] },
    ];
    void harness.session.loadHistory();
    return () => undefined;
  },
  'a message that is said in other words': async (harness) => {
    const { stream } = await harness.say('hello');
    begin(stream);
    await settle();
    void harness.session.edit(harness.session.conversation.messages[0]!.id, 'in other words');
    await settleImports();
    return () => undefined;
  },
  'another answer to the same words': async (harness) => {
    await harness.exchange('hello', 'answer', 'M1');
    const { stream } = await harness.say('again');
    begin(stream, 'R2');
    await settle();
    void harness.session.regenerate(harness.session.conversation.messages[1]!.id);
    await settleImports();
    return () => undefined;
  },
  'a stream that is taken up': async (harness) => {
    const { stream } = await harness.say('hello');
    delta(begin(stream), 'half').fail(new TypeError('gone'));
    await settle();
    return () => finish(harness.client.replays.at(-1)!.open(), 'late', 'M1');
  },
};

for (const [what, play] of Object.entries(races)) {
  for (const [where, threadId] of [
    ['a new thread', undefined],
    ['another thread', 'other'],
  ] as const)
    test(`${where} stays empty after ${what}`, async () => {
      const harness = new Harness();
      const arrive = await play(harness);
      const posts = harness.client.posts.length;
      harness.session.setThread(threadId);
      arrive();
      await harness.clock.pass(60_000);
      expect(harness.session.conversation).toEqual({ ...emptyConversation, threadId });
      expect(harness.client.posts).toHaveLength(posts);
      expect(harness.session.busy).toBe(false);
      await harness.exchange('afresh', 'a new answer', 'M9');
      expect(harness.transcript).toEqual(['user: afresh (sent)', 'assistant: a new answer (complete)']);
      expect(harness.client.posts.at(-1)!.request!.thread_id).toBe(threadId);
      harness.session.dispose();
      expect(harness.clock.pending).toBe(0);
    });
}

test('the answer goes on at the service while the visitor reads another thread', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  begin(stream, 'R-1');
  await settle();
  harness.session.setThread('other');
  await turn;
  await harness.clock.pass(60_000);
  expect(stream.isClosed).toBe(true);
  expect(harness.client.cancelled).toEqual([]);
});
