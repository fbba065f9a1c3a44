import { expect, test } from '@playwright/test';
import { createMessage, createRun } from '../../../src/conversation/factories.ts';
import { emptyConversation, type Conversation } from '../../../src/conversation/index.ts';
import { readItems } from '../../../src/conversation/items.ts';
import { mergeHistory } from '../../../src/conversation/merge-history.ts';
import { markStop, stopRun } from '../../../src/conversation/stream-actions.ts';
import {
  type AnnouncedState,
  ConversationAnnouncer,
  needsItemSpeech,
} from '../../../src/widget/announcements/conversation-announcer.ts';
import type { ContentItem } from '../../../src/protocol/index.ts';
import * as itemSpeech from '../../../src/widget/announcements/item-speech.ts';
import type { Announcement, LiveAnnouncer } from '../../../src/widget/announcements/live-announcer.ts';
import { defaultStrings } from '../../../src/widget/i18n/strings.ts';
import { clientError } from '../../session/fake-client.ts';
import { begin, delta, finish, Harness } from '../../session/harness.ts';
import { settle } from '../../session/manual-clock.ts';

/** Strings that are their keys. */
const words = Object.assign(Object.create(defaultStrings), { t: (key: string) => key });

const textOf = (announcement: Announcement): string =>
  typeof announcement === 'string' ? announcement : announcement();

/** A live region that keeps what is said. */
function sayInto(said: string[]): Pick<LiveAnnouncer, 'announce' | 'cancel'> {
  return { announce: (text) => said.push(textOf(text)), cancel: () => false };
}

for (const [when, stoppedAt, heard] of [
  ['while it is pending', Date.now() + 60_000, ['notice.stopped', 'notice.may-continue']],
  ['after it was announced', 1, ['notice.stopped']],
] as const) {
  test(`an unconfirmed stop replaces the announcement of the stop ${when}`, async () => {
    const harness = new Harness();
    begin((await harness.say('hello')).stream);
    await settle();
    const said: string[] = [];
    const narrator = new ConversationAnnouncer(sayInto(said), 0);
    const look = (conversation: AnnouncedState['conversation']): void =>
      narrator.update({ conversation, connection: 'idle', words, name: '', mode: 'answer', shown: true });
    look(emptyConversation);
    look(harness.session.conversation);
    said.length = 0;
    const stopped = stopRun(harness.session.conversation, harness.run.id, stoppedAt);
    look(stopped);
    look(markStop(stopped, harness.run.id, false));
    expect(said).toEqual(heard);
  });
}

test('each run is announced when it starts', async () => {
  const harness = new Harness();
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), 0);
  const look = (): void => {
    const { conversation } = harness.session;
    narrator.update({ conversation, connection: 'streaming', words, name: '', mode: 'answer', shown: true });
  };
  look();
  for (const question of ['first', 'second', 'third']) {
    const { stream } = await harness.say(question);
    begin(stream, `run of ${question}`);
    await settle();
    look();
    said.push(question);
    finish(stream, 'An answer.', question);
    await settle();
    look();
  }
  expect(said.filter((text) => text !== 'announce.answer')).toEqual([
    'status.working',
    'first',
    'status.working',
    'second',
    'status.working',
    'third',
  ]);
});

test('a run that completes without content is announced as such', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('hello');
  begin(stream);
  await settle();
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), 0);
  const look = (): void => {
    const { conversation } = harness.session;
    narrator.update({ conversation, connection: 'idle', words, name: '', mode: 'answer', shown: true });
  };
  look();
  stream.emit('run.completed').emit('done').close();
  await settle();
  look();
  expect(said.at(-1)).toBe('notice.no-answer');
});

/** What is said of a session, when `look` is called. */
function listenTo(harness: Harness): { said: string[]; look: () => Promise<void> } {
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const look = async (): Promise<void> => {
    await settle();
    const { conversation } = harness.session;
    announcer.update({ conversation, connection: 'idle', words, name: '', mode: 'answer', shown: true });
  };
  return { said, look };
}

for (const [what, answer, heard] of [
  ['the answer is announced, and not the error before it', 'An answer.', ['announce.answer']],
  ['an error that no answer follows is announced', '', ['failure.run']],
] as const)
  test(`${what}, where the run goes on after it`, async () => {
    const harness = new Harness();
    const { stream } = await harness.say('hello');
    begin(stream);
    await settle();
    const { said, look } = listenTo(harness);
    await look();
    said.length = 0;
    stream.emit('error', { message: 'boom' });
    await look();
    if (answer) delta(stream, answer);
    await look();
    stream.emit('run.completed').emit('done').close();
    await look();
    expect(said).toEqual(heard);
  });

test('what a hidden message had the agent do is no longer announced once it ended without content', () => {
  const cancelled: string[] = [];
  const said: string[] = [];
  const into = { ...sayInto(said), cancel: (slot: string) => cancelled.push(slot) > 0 };
  const announcer = new ConversationAnnouncer(into, 0);
  const state = { words, name: '', mode: 'answer', shown: true, connection: 'idle' } as const;
  const known = { id: 'p', role: 'user', status: 'sent', runKey: 'p', createdAt: 1 } as const;
  const messages = [{ ...createMessage(known), hidden: true }];
  const run = { ...createRun({ id: 'p', startedAt: 1 }), status: 'streaming' } as const;
  announcer.update({ ...state, conversation: emptyConversation });
  announcer.update({ ...state, conversation: { ...emptyConversation, messages, runs: [run] } });
  expect([said, cancelled]).toEqual([['status.working'], []]);
  const ended = { ...run, status: 'completed', endedAt: 2 } as const;
  announcer.update({ ...state, conversation: { ...emptyConversation, messages, runs: [ended] } });
  expect([said, cancelled]).toEqual([['status.working'], ['status']]);
});

test('a retry that fails at once is announced again', async () => {
  const harness = new Harness();
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const look = (): void => {
    const { conversation } = harness.session;
    announcer.update({ conversation, connection: 'idle', words, name: '', mode: 'answer', shown: true });
  };
  look();
  (await harness.say('hello')).stream.fail(clientError('NetworkError'));
  await settle();
  look();
  await harness.clock.pass(1000);
  void harness.session.retry();
  await settle();
  harness.client.posts.at(-1)?.fail(clientError('NetworkError'));
  await settle();
  look(); // both changes of the run are in one frame
  look();
  expect(said).toEqual(['failure.network', 'failure.network']);
});

for (const partial of ['', 'I was about to say'])
  test(`the answer of a retry is announced, and that work begins, after ${partial || 'no text'}`, async () => {
    const harness = new Harness();
    const { said, look } = listenTo(harness);
    await look();
    const { stream } = await harness.say('hello');
    begin(stream);
    if (partial) delta(stream, partial);
    await look();
    stream
      .emit('run.failed', { error: { code: 'service_stopping', message: 'stopping' } })
      .emit('done')
      .close();
    await look();
    said.length = 0;
    await harness.clock.pass(1000);
    void harness.session.retry();
    await look();
    const again = harness.client.posts.at(-1)!;
    begin(again, 'R2');
    await look();
    delta(again, 'An answer.');
    await look();
    finish(again, 'An answer.');
    await look();
    expect(said).toEqual(['status.working', 'announce.answer']);
  });

for (const [when, isAnnounced, heard] of [
  ['before its loss was announced', false, []],
  ['after its loss was announced', true, ['status.resuming', 'announce.reconnected']],
] as const)
  test(`a connection that is back ${when}`, () => {
    let pending: string[] = [];
    const said: string[] = [];
    const announcer = new ConversationAnnouncer(
      {
        announce: (text) => pending.push(textOf(text)),
        cancel: () => {
          const isPending = pending.length > 0;
          pending = [];
          return isPending;
        },
      },
      0,
    );
    const state = { conversation: emptyConversation, words, name: '', mode: 'answer', shown: true } as const;
    for (const connection of ['streaming', 'resuming', 'streaming'] as const) {
      announcer.update({ ...state, connection });
      if (isAnnounced) said.push(...pending.splice(0));
    }
    expect([...said, ...pending]).toEqual(heard);
  });

test('while the connection is restored, no work is announced', () => {
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const state = { words, name: '', mode: 'answer', shown: true } as const;
  const run = createRun({ id: 'p', startedAt: 1 });
  const asked: Conversation = { ...emptyConversation, runs: [{ ...run, status: 'streaming' }] };
  announcer.update({ ...state, conversation: emptyConversation, connection: 'idle' });
  announcer.update({ ...state, conversation: asked, connection: 'resuming' });
  announcer.update({ ...state, conversation: { ...asked }, connection: 'streaming' });
  expect(said).toEqual(['status.resuming', 'announce.reconnected', 'status.working']);
});

for (const [kind, hidden, isQueued, heard] of [
  ['of the visitor', false, false, ['message.queued']],
  ['that was queued', false, true, ['message.queued']],
  ['that is hidden', true, false, []],
] as const)
  test(`that a message ${kind} waits for the network is announced ${heard.length} times`, () => {
    const said: string[] = [];
    const announcer = new ConversationAnnouncer(sayInto(said), 0);
    const state = { words, name: '', mode: 'answer', shown: true, connection: 'offline' } as const;
    const known = { id: 'p', role: 'user', status: 'sending', runKey: undefined, createdAt: 1 } as const;
    const prompt = { ...createMessage(known), hidden };
    const asked: Conversation = {
      ...emptyConversation,
      messages: [prompt],
      runs: [createRun({ id: 'p', startedAt: 1 })],
    };
    announcer.update({ ...state, conversation: emptyConversation });
    if (isQueued)
      announcer.update({
        ...state,
        conversation: { ...emptyConversation, messages: [{ ...prompt, status: 'queued' }] },
      });
    announcer.update({ ...state, conversation: asked });
    announcer.update({ ...state, conversation: { ...asked } });
    expect(said).toEqual(heard);
  });

test('an answer that was cut off is announced as lost only when it cannot be resumed', () => {
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const state = { words, name: '', mode: 'answer', shown: true } as const;
  const run = createRun({ id: 'p', startedAt: 1 });
  const messages = [
    createMessage({ id: 'p', role: 'user', status: 'sent', runKey: undefined, createdAt: 1 }),
  ];
  const running: Conversation = { ...emptyConversation, messages, runs: [{ ...run, status: 'streaming' }] };
  const failure = { kind: 'interrupted', reason: '', retryable: true, retryAfter: undefined } as const;
  const cut: Conversation = {
    ...running,
    runs: [{ ...run, runId: 'R', status: 'interrupted', failure, endedAt: 2 }],
  };
  announcer.update({ ...state, conversation: running, connection: 'streaming' });
  said.length = 0;
  announcer.update({ ...state, conversation: cut, connection: 'resuming' });
  expect(said).toEqual(['status.resuming']);
  announcer.update({ ...state, conversation: cut, connection: 'failed' });
  expect(said.slice(1)).toEqual(['failure.interrupted']);
});

test('a page that begins with an answer to resume announces that it reconnects', () => {
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const state = { conversation: emptyConversation, words, name: '', mode: 'answer', shown: true } as const;
  for (const connection of ['resuming', 'streaming'] as const) announcer.update({ ...state, connection });
  expect(said).toEqual(['status.resuming', 'announce.reconnected']);
});

test('a message of a person is announced as theirs', () => {
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), 0);
  const look = (messages: Conversation['messages']): void =>
    narrator.update({
      conversation: { ...emptyConversation, threadId: 'T', messages },
      connection: 'idle',
      words: defaultStrings,
      name: 'Harbour Help',
      mode: 'answer',
      shown: true,
    });
  const wrote = (id: string, author: unknown): Conversation['messages'][number] => ({
    ...createMessage({ id, role: 'assistant', status: 'complete', runKey: undefined, createdAt: 1 }),
    items: readItems('On my way.'),
    additionalProperties: { author },
  });
  const first = wrote('1', { kind: 'agent', id: 'harbour' });
  look([first]);
  look([first, wrote('2', { kind: 'person', name: 'Mara' })]);
  expect(said).toEqual(['Mara (a person) said: On my way.']);
});

test('what is wrong with a connection is announced, with the text before it and alone', () => {
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), 0);
  const look = (messages: Conversation['messages']): void => {
    const conversation = { ...emptyConversation, threadId: 'T', messages };
    expect(needsItemSpeech(conversation)).toBe(messages.some(({ connection }) => connection));
    narrator.update({
      conversation,
      connection: 'idle',
      words: defaultStrings,
      name: 'Quay',
      mode: 'answer',
      shown: true,
      itemSpeech,
    });
  };
  const wrote = (id: string, text: string, message?: string): Conversation['messages'][number] => ({
    ...createMessage({ id, role: 'assistant', status: 'complete', runKey: undefined, createdAt: 1 }),
    items: text ? readItems(text) : [],
    connection: message === undefined ? undefined : { status: 'disconnected', message },
  });
  const before = [wrote('1', 'Hello.'), wrote('2', 'I need it.', 'Sign in to the booking system.')];
  look(before.slice(0, 1));
  look(before);
  look([...before, wrote('3', '', 'Sign in again.')]);
  expect(said).toEqual(['Quay said: I need it. Sign in to the booking system.', 'Quay said: Sign in again.']);
});

test('what a message contains is announced in its order', () => {
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), 0);
  const wrote = (id: string, content: readonly ContentItem[]): Conversation['messages'][number] => ({
    ...createMessage({ id, role: 'assistant', status: 'complete', runKey: undefined, createdAt: 1 }),
    items: readItems(content),
  });
  const answer = wrote('2', [
    { response_type: 'text', text: 'This is **the quay**:' },
    { response_type: 'image', alt_text: 'A boat' },
    { response_type: 'text', text: 'Shall I book it?' },
  ]);
  for (const messages of [[wrote('1', [])], [wrote('1', []), answer]])
    narrator.update({
      conversation: { ...emptyConversation, threadId: 'T', messages },
      connection: 'idle',
      words: defaultStrings,
      name: 'Quay',
      mode: 'answer',
      shown: true,
      itemSpeech,
    });
  expect(said).toEqual(['Quay said: This is the quay: Image. A boat. Shall I book it?']);
});

const approval = (id: string, name: string): Record<string, unknown> => ({
  id,
  response_type: 'forms',
  sub_type: 'tool_approval',
  name,
});
const decision = {
  message: { id: 'M', role: 'assistant', content: [approval('c1', 'Book a berth'), approval('c2', 'Pay')] },
};

for (const [what, events, mode] of [
  ['by the message that interrupts', ['message.interrupt'], 'answer'],
  ['by the message that interrupts, sentence by sentence', ['message.interrupt'], 'sentence'],
  ['by the message that interrupts, quietly', ['message.interrupt'], 'quiet'],
  ['by a message before the interrupt', ['message.created', 'message.interrupt'], 'answer'],
  ['by a message alone', ['message.created'], 'answer'],
] as const)
  test(`that decisions are needed is announced once: asked ${what}`, async () => {
    const harness = new Harness();
    const { stream } = await harness.say('hello');
    begin(stream);
    await settle();
    let said: readonly { readonly text: string; readonly slot: string | undefined }[] = [];
    const cancel = (slot: string): boolean => {
      const before = said;
      said = before.filter((entry) => entry.slot !== slot);
      return said.length < before.length;
    };
    const announce = (text: string, slot?: string): void => {
      if (slot !== undefined) cancel(slot);
      said = [...said, { text: textOf(text), slot }];
    };
    const announcer = new ConversationAnnouncer({ announce, cancel }, 0);
    const words = Object.assign(Object.create(defaultStrings), {
      t: (key: string, { text = '' }: { readonly text?: string } = {}) =>
        [key, text].filter(Boolean).join(': '),
    });
    const look = (): void => {
      const { conversation } = harness.session;
      announcer.update({
        conversation,
        connection: 'streaming',
        words,
        name: '',
        mode,
        shown: true,
        itemSpeech,
      });
    };
    look();
    for (const [at, event] of events.entries()) {
      stream.emit(event, at === 0 ? decision : {});
      await settle();
      look();
    }
    stream.emit('run.completed').emit('done').close();
    await settle();
    look();
    const heard = said.map(({ text }) => text).join('\n');
    expect(heard.split('status.waiting')).toHaveLength(2);
    if (mode !== 'quiet') expect(heard).toContain('announce.question: Book a berth. Pay');
  });

test('what a decision starts is not announced: its card says what becomes of it', async () => {
  const harness = new Harness();
  begin((await harness.say('hello')).stream)
    .emit('message.interrupt', decision)
    .emit('run.completed')
    .emit('done')
    .close();
  await settle();
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const look = (): void =>
    announcer.update({
      ...{ conversation: harness.session.conversation, connection: 'streaming', words: defaultStrings },
      ...{ name: '', mode: 'answer', shown: true, itemSpeech },
    });
  look();
  said.length = 0;
  void harness.session.send({
    content: [{ ...approval('c1', 'Book'), response_type: 'forms', form_operation: 'submit' }],
  });
  await settle();
  const stream = harness.client.posts.at(-1)!.open();
  stream.emit('run.started', { run_id: 'R', thread_id: 'T' });
  await settle();
  look();
  const call = (detail: object): void =>
    void stream.emit('run.step.delta', { delta: { role: 'assistant', step_details: [detail] } });
  call({ type: 'tool_calls', tool_calls: [{ id: 'c1', name: 'Book a berth', args: {} }] });
  await settle();
  look();
  call({ type: 'tool_response', name: 'Book a berth', tool_call_id: 'c1', content: 'ok' });
  await settle();
  look();
  expect(said).toEqual([]);
  stream.emit('run.step.intermediate', { message: { key: 'asking', text: 'Asking the office' } });
  await settle();
  look();
  expect(said).toEqual(['Asking the office']);
});

test('what the result of a page tool starts is not announced: its card says what became of it', async () => {
  const harness = new Harness();
  const pageItem = (fields: object): object => ({ response_type: 'user_defined', user_defined: fields });
  const question = pageItem({ type: 'page_tool_call', id: 'p1', name: 'highlight', args: {} });
  begin((await harness.say('hello')).stream)
    .emit('message.interrupt', { message: { id: 'M', role: 'assistant', content: [question] } })
    .close();
  await settle();
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const look = async (): Promise<void> => {
    await settle();
    announcer.update({
      ...{ conversation: harness.session.conversation, connection: 'streaming', words: defaultStrings },
      ...{ name: '', mode: 'answer', shown: true, itemSpeech },
    });
  };
  await look();
  said.length = 0;
  const result = pageItem({ type: 'page_tool_result', id: 'p1', content: 'lit' });
  void harness.session.send({ content: [result as ContentItem] });
  await settle();
  const stream = harness.client.posts.at(-1)!.open();
  stream.emit('run.started', { run_id: 'R', thread_id: 'T' });
  await look();
  const tool_calls = [{ id: 'p1', name: 'Highlight a berth', args: {} }];
  stream.emit('run.step.delta', {
    delta: { role: 'assistant', step_details: [{ type: 'tool_calls', tool_calls }] },
  });
  await look();
  expect(said).toEqual([]);
});

for (const [when, frames] of [
  ['while it is shown', 'each'],
  ['in one frame', 'last'],
] as const)
  test(`an answer that is resumed after a reload is announced when it is complete, ${when}`, async () => {
    const harness = new Harness();
    delta(begin((await harness.say('hello')).stream), 'The tide ');
    await settle();
    harness.session.suspend();
    const said: string[] = [];
    const announcer = new ConversationAnnouncer(sayInto(said), Date.now() + 60_000); // the next page
    const words = Object.assign(Object.create(defaultStrings), {
      t: (key: string, { text = key }: { readonly text?: string } = {}) => text,
    });
    const look = (): void => {
      const { conversation, connection } = harness.session;
      announcer.update({ conversation, connection, words, name: '', mode: 'answer', shown: true });
    };
    look();
    look();
    expect(said).toEqual([]); // the failure of the restored run is not news
    void harness.session.resume();
    await settle();
    if (frames === 'each') look();
    const replay = harness.client.replays.at(-1)!.open();
    finish(replay, 'The tide rises.');
    await settle();
    look();
    expect(said.at(-1)).toBe('The tide rises.');
  });

test('that the connection is back is announced before the failure of the run', () => {
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const state = { words, name: '', mode: 'answer', shown: true } as const;
  const run = createRun({ id: 'p', startedAt: 1 });
  const conversation: Conversation = { ...emptyConversation, runs: [{ ...run, status: 'streaming' }] };
  const failure = { kind: 'run', reason: '', retryable: true, retryAfter: undefined } as const;
  announcer.update({ ...state, conversation, connection: 'streaming' });
  announcer.update({ ...state, conversation, connection: 'resuming' });
  const failed: Conversation = {
    ...conversation,
    runs: [{ ...run, status: 'failed', failure, endedAt: 2, done: true }],
  };
  announcer.update({ ...state, conversation: failed, connection: 'idle' });
  expect(said.slice(-2)).toEqual(['announce.reconnected', 'failure.run']);
});

test('quiet visitors hear once that an answer begins, also if it begins while reconnecting', () => {
  const said: string[] = [];
  const announcer = new ConversationAnnouncer(sayInto(said), 0);
  const state = { words, name: '', mode: 'quiet', shown: true } as const;
  const run = createRun({ id: 'p', startedAt: 1 });
  const begun: Conversation = { ...emptyConversation, runs: [{ ...run, status: 'submitted' }] };
  const streaming: Conversation = { ...begun, runs: [{ ...run, status: 'streaming' }] };
  announcer.update({ ...state, conversation: emptyConversation, connection: 'idle' });
  announcer.update({ ...state, conversation: begun, connection: 'resuming' });
  expect(said).toEqual(['status.resuming']);
  announcer.update({ ...state, conversation: streaming, connection: 'streaming' });
  announcer.update({ ...state, conversation: { ...streaming }, connection: 'streaming' });
  expect(said.filter((text) => text === 'announce.started')).toHaveLength(1);
});

test('old answers of a thread are not read out where the clock of the device is behind that of the service', () => {
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), Date.now());
  const look = (conversation: Conversation): void =>
    narrator.update({ conversation, connection: 'idle', words, name: '', mode: 'sentence', shown: true });
  const created_on = new Date(Date.now() + 3_600_000).toISOString();
  const stored = [
    { id: 'M1', role: 'user', run_id: 'R1', created_on, content: 'When?' },
    { id: 'M2', role: 'assistant', run_id: 'R1', created_on, content: 'At eight.' },
  ];
  const opened = { ...emptyConversation, threadId: 'T1' };
  look(opened);
  const whole = mergeHistory(opened, stored, { at: Date.now() });
  look(whole);
  expect(said).toEqual([]);
  const later = stored.map((message) => ({ ...message, id: `${message.id} later`, run_id: 'R2' }));
  look(mergeHistory(whole, [...stored, ...later], { at: Date.now() }));
  expect(said).toEqual(['announce.answer', 'announce.done']);
});

test('an answer that nobody saw is not read out after its conversation was left', async () => {
  const harness = new Harness();
  const said: string[] = [];
  const narrator = new ConversationAnnouncer(sayInto(said), 0);
  const look = (conversation: AnnouncedState['conversation'], shown: boolean): void =>
    narrator.update({ conversation, connection: 'idle', words, name: '', mode: 'answer', shown });
  look(emptyConversation, false);
  const { stream } = await harness.say('hello');
  finish(stream, 'Of the visitor before.');
  await settle();
  look(harness.session.conversation, false);
  expect(said).toContain('announce.unread');
  said.length = 0;
  look(emptyConversation, false);
  look(emptyConversation, true);
  expect(said).toEqual([]);
});
