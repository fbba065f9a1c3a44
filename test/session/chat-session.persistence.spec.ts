import { expect, test } from '@playwright/test';
import { expectSame } from '../tools/expect-same.ts';
import { emptyConversation } from '../../src/conversation/index.ts';
import { areaStorage, ChatSession, readSnapshot, snapshotOf } from '../../src/session/index.ts';
import type { ConversationStorage } from '../../src/session/index.ts';
import { foldToEnd, fold, recordedStreams } from '../conversation/fold.ts';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle } from './manual-clock.ts';

class MemoryArea {
  readonly texts = new Map<string, string>();
  writes = 0;
  quota = Infinity;

  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    if (text.length > this.quota) throw new DOMException('full', 'QuotaExceededError');
    this.writes += 1;
    this.texts.set(key, text);
  }

  removeItem(key: string): void {
    this.texts.delete(key);
  }
}

function stored(area = new MemoryArea(), limit?: number): { area: MemoryArea; storage: ConversationStorage } {
  return {
    area,
    storage: areaStorage({ area: () => area, key: 'chat', ...(limit === undefined ? {} : { limit }) }),
  };
}

/** A visit that ends in the middle of the answer to `hello`, whose run is `R-5`. */
async function leaveWithin(storage: ConversationStorage): Promise<void> {
  const harness = new Harness({ storage });
  const { stream } = await harness.say('hello');
  delta(begin(stream, 'R-5'), 'first ');
  await settle();
  harness.session.dispose();
}

test('nothing is written before the first message, and then at most once a second', async () => {
  const { area, storage } = stored();
  const harness = new Harness({ storage });
  harness.session.setThread('T');
  await harness.clock.pass(10_000);
  expect(area.writes).toBe(0);
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  for (let count = 0; count < 40; count += 1) {
    delta(stream, 'word ');
    await harness.clock.pass(100);
  }
  expect(area.writes).toBeGreaterThan(2);
  expect(area.writes).toBeLessThan(6);
  finish(stream, 'words');
  await turn;
  await settle();
  expect(area.texts.get('chat')).toContain('"words"');
});

test('the first message is written at once: a tab may crash just after it', async () => {
  const { area, storage } = stored();
  const harness = new Harness({ storage });
  await harness.say('hello');
  await harness.clock.pass(0);
  expect(area.texts.get('chat')).toContain('"hello"');
});

test('a stored conversation is restored with its answers', async () => {
  const { storage } = stored();
  const first = new Harness({ storage });
  await first.exchange('hello', 'answer', 'M1');
  first.session.dispose();
  const second = new Harness({ storage });
  expect(second.transcript).toEqual(['user: hello (sent)', 'assistant: answer (complete)']);
  expect(second.session.conversation.threadId).toBe('T');
  expect(second.session.connection).toBe('idle');
  await second.say('more');
  expect(second.client.posts[0]!.request).toMatchObject({ thread_id: 'T', context: { seen: 'answer' } });
});

test('an answer continues after a reload', async () => {
  const { storage } = stored();
  await leaveWithin(storage);
  const second = new Harness({ storage });
  expect(second.run.status).toBe('interrupted');
  const going = second.session.resume();
  await settle();
  const replay = second.client.replays[0]!.open();
  expect(replay.runId).toBe('R-5');
  expect(replay.options.lastEventId).toBe('1770000000003-0');
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: 'second' }] } }, '1770000000004-0');
  replay.emit('done', {}, '1770000000005-0').close();
  await going;
  expect(second.transcript).toEqual(['user: hello (sent)', 'assistant: first second (complete)']);
  expect(second.client.posts).toHaveLength(0);
});

test('a message queued behind a failed turn still waits after a reload', async () => {
  const { storage } = stored();
  const first = new Harness({ storage });
  const { stream } = await first.say('one');
  void first.session.send('two');
  await settle();
  stream.fail(clientError('HttpError', { status: 503 }));
  await settle();
  expect(first.transcript).toEqual(['user: one (rejected)', 'user: two (queued)']);
  first.session.dispose();
  const second = new Harness({ storage });
  await second.session.resume();
  await settle();
  expect(second.client.posts).toHaveLength(0);
  void second.session.retry();
  await settle();
  finish(begin(second.client.posts[0]!), 'answer', 'M1');
  await settle();
  const said = second.client.posts.map(({ request }) => request!.message.content);
  expect(said).toEqual(['one', 'two'].map((text) => [{ response_type: 'text', text }]));
  second.session.dispose();
});

test('a message queued behind a turn that ended elsewhere is sent on resume', async () => {
  const before = new Harness();
  const { stream } = await before.say('one');
  begin(stream);
  void before.session.send('two');
  await settle();
  const { conversation } = before.session;
  const runs = conversation.runs.map((run) => ({ ...run, status: 'completed' as const, endedAt: 1 }));
  before.session.dispose();
  const after = new Harness({ initial: { ...conversation, runs } });
  await settle();
  expect(after.client.posts).toHaveLength(0);
  await after.session.resume();
  await settle();
  expect(after.client.posts.map(({ request }) => request?.message.content)).toEqual([
    [{ response_type: 'text', text: 'two' }],
  ]);
  after.session.dispose();
});

test('feedback is sent once, with the next message, also after a reload', async () => {
  const { storage } = stored();
  const first = new Harness({ storage });
  await first.exchange('hello', 'answer', 'M1');
  const answer = first.session.conversation.messages.at(-1)!;
  const feedback = { is_positive: true, text: '', selected_categories: [] };
  first.session.feedback(answer.id, undefined, feedback);
  first.session.dispose();
  const second = new Harness({ storage });
  await second.exchange('more', 'answer', 'M2');
  await second.say('and more');
  const [told, untold] = second.client.posts.map(({ request }) => request!.message.message_state);
  expect(told).toEqual({ content: { '1': { feedback } } });
  expect(untold).toBeUndefined();
  second.session.dispose();
});

test('a replay that starts over shows nothing twice', async () => {
  const { storage } = stored();
  await leaveWithin(storage);
  const second = new Harness({ storage });
  const going = second.session.resume();
  await settle();
  const replay = second.client.replays[0]!.open();
  delta(begin(replay, 'R-5'), 'first ');
  delta(replay, 'second').emit('done').close();
  await going;
  expect(second.transcript).toEqual(['user: hello (sent)', 'assistant: first second (complete)']);
});

test('every recorded conversation is unchanged after a snapshot is restored', () => {
  for (const { name, events } of recordedStreams()) {
    const conversation = foldToEnd(events);
    const read = readSnapshot(JSON.parse(JSON.stringify(snapshotOf(conversation))));
    const plain = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, part: unknown) =>
          key === 'applied' || key === 'statusLine' ? undefined : part,
        ),
      );
    expect(plain(read), name).toEqual(plain(conversation));
  }
});

const garbage: readonly unknown[] = [
  null,
  'text',
  42,
  [],
  {},
  { version: 0, conversation: emptyConversation },
  { version: 1 },
  { version: 1, conversation: { messages: 'none' } },
];

for (const value of garbage) {
  test(`invalid stored data is dropped with a diagnostic: ${JSON.stringify(value)}`, () => {
    const { area, storage } = stored();
    area.texts.set('chat', JSON.stringify(value));
    const harness = new Harness({ storage });
    expect(harness.session.conversation).toEqual(emptyConversation);
    expect(harness.diagnostics.map(({ code }) => code)).toEqual(['stored-conversation-dropped']);
    expect(area.texts.has('chat')).toBe(false);
  });
}

test('every field of a stored conversation may be of any type', () => {
  const conversation = fold(recordedStreams().find(({ name }) => name === 'tools')!.events);
  const snapshot = JSON.parse(JSON.stringify(snapshotOf(conversation))) as { conversation: object };
  const spoil = (value: unknown, with_: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [with_];
    return Object.entries(value).flatMap(([key, part]) =>
      spoil(part, with_).map((spoilt) =>
        Array.isArray(value) ? value.with(Number(key), spoilt) : { ...value, [key]: spoilt },
      ),
    );
  };
  let count = 0;
  for (const with_ of [null, 7, 'x', [], {}, [null], { id: 1 }]) {
    for (const spoilt of spoil(snapshot.conversation, with_)) {
      const read = readSnapshot({ version: 1, conversation: spoilt });
      expectSame(read === undefined || Array.isArray(read.messages), true);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(300);
});

test('a conversation that is too long loses its oldest turns, and a full storage does not stop the chat', async () => {
  const { area, storage } = stored(undefined, 4_000);
  const harness = new Harness({ storage });
  for (let turn = 1; turn <= 8; turn += 1)
    await harness.exchange(`question ${turn}`, `answer ${turn}`, `M${turn}`);
  expect(area.texts.get('chat')!.length).toBeLessThanOrEqual(4_000);
  expect(area.texts.get('chat')).toContain('answer 8');
  expect(area.texts.get('chat')).not.toContain('answer 1"');
  area.quota = 0;
  await harness.exchange('question 9', 'answer 9', 'M9');
  expect(harness.session.conversation.messages).toHaveLength(18);
  expect(area.texts.has('chat')).toBe(false);
});

test('if a message is too long to store, the thread id is stored', async () => {
  const { area, storage } = stored(undefined, 4_000);
  const harness = new Harness({ storage });
  await harness.exchange('hello', 'answer');
  const { stream } = await harness.say('a file of my own: '.repeat(300));
  begin(stream);
  await harness.clock.pass(1_000);
  expect(area.texts.get('chat')).not.toContain('hello');
  harness.session.suspend();
  const later = new Harness({ storage });
  expect(later.session.conversation).toMatchObject({ threadId: 'T', messages: [], runs: [] });
  later.client.history = [
    { id: 'M1', role: 'user', content: 'hello', run_id: 'R1' },
    { id: 'M2', role: 'assistant', content: 'answer', run_id: 'R1' },
  ];
  await later.session.loadHistory();
  expect(later.transcript).toEqual(['user: hello (sent)', 'assistant: answer (complete)']);
});

test('a blocked storage is reported once', () => {
  const told: string[] = [];
  const storage = areaStorage({
    area: () => {
      throw new DOMException('denied', 'SecurityError');
    },
    key: 'chat',
    onDiagnostic: ({ code }) => told.push(code),
  });
  const harness = new Harness({ storage });
  expect(harness.session.conversation).toEqual(emptyConversation);
  storage.save(snapshotOf(fold(recordedStreams()[0]!.events)));
  storage.clear();
  expect(told).toEqual(['storage-unavailable']);
});

test('a new thread deletes the stored conversation', async () => {
  const { area, storage } = stored();
  const harness = new Harness({ storage });
  await harness.exchange('hello', 'answer');
  expect(area.texts.has('chat')).toBe(true);
  harness.session.newThread();
  await harness.clock.pass(5_000);
  expect(area.texts.has('chat')).toBe(false);
});

test('a disposed session has no timers and no listeners', async () => {
  const harness = new Harness({ storage: stored().storage });
  let heard = 0;
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  await settle();
  harness.session.startFollowing();
  await harness.clock.pass(500);
  harness.session.subscribe(() => {
    heard += 1;
  });
  harness.session.dispose();
  await turn;
  const before = heard;
  delta(stream, 'late');
  await settle();
  expect(harness.clock.pending).toBe(0);
  expect(heard).toBe(before);
  expect(harness.client.cancelled).toEqual([]);
  expect(harness.client.threads[0]!.isClosed).toBe(true);
});

test('an initial conversation overrides the stored one', () => {
  const session = new ChatSession({
    client: new Harness().client,
    settings: () => ({}),
    initial: { ...emptyConversation, threadId: 'given' },
    storage: stored().storage,
  });
  expect(session.conversation.threadId).toBe('given');
});

test('a message sent right after a reload waits for the interrupted answer', async () => {
  const { storage } = stored();
  await leaveWithin(storage);
  const second = new Harness({ storage });
  void second.session.send('more');
  await settle();
  expect(second.client.posts).toHaveLength(0);
  void second.session.resume(); // as the page does a moment later
  await settle();
  expect(second.client.replays).toHaveLength(1);
  const replay = second.client.replays[0]!.open();
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: 'second' }] } }, '1770000000004-0');
  replay.emit('done', {}, '1770000000005-0').close();
  await settle();
  finish(begin(second.client.posts[0]!, 'R-6'), 'answer', 'M2');
  await settle();
  expect(second.transcript).toEqual([
    'user: hello (sent)',
    'assistant: first second (complete)',
    'user: more (sent)',
    'assistant: answer (complete)',
  ]);
});

for (const settings of [{}, { resumable: true }])
  test(`a message sent right after a reload is sent although the service cannot replay the answer: ${JSON.stringify(settings)}`, async () => {
    const { storage } = stored();
    await leaveWithin(storage);
    const second = new Harness({ storage });
    second.settings = settings;
    void second.session.send('more');
    await settle();
    second.client.replays[0]!.fail(clientError('HttpError', { status: 404 }));
    await settle();
    finish(begin(second.client.posts[0]!, 'R-6'), 'answer', 'M2');
    await settle();
    expect(second.transcript).toEqual([
      'user: hello (sent)',
      'assistant: first  (streaming)',
      'user: more (sent)',
      'assistant: answer (complete)',
    ]);
  });

/** A visit that a reload ends before anything of the first response is read. */
async function leaveWithinPost(storage: ConversationStorage): Promise<unknown> {
  const harness = new Harness({ storage });
  const { stream } = await harness.say('hello');
  harness.session.suspend();
  harness.session.dispose();
  return stream.clientMessageId;
}

test('a reload that cut the first request finds the run by its message', async () => {
  const { storage } = stored();
  const clientMessageId = await leaveWithinPost(storage);
  const { session, client, transcript: before } = new Harness({ storage });
  expect(before).toEqual(['user: hello (sent)']);
  const resumed = session.resume();
  await settle();
  expect(client.posts).toHaveLength(0);
  expect(client.replays.map(({ runId }) => runId)).toEqual([clientMessageId]);
  finish(begin(client.replays[0]!, 'R-1'), 'answer');
  await resumed;
  expect(session.conversation).toMatchObject({
    threadId: 'T',
    messages: [{ status: 'sent' }, { role: 'assistant', status: 'complete' }],
    runs: [{ runId: 'R-1', status: 'completed' }],
  });
});

test('a service that does not know the message is asked once, and Retry posts it with the same id', async () => {
  const { storage } = stored();
  const clientMessageId = await leaveWithinPost(storage);
  const { session, client } = new Harness({ storage });
  const resumed = session.resume();
  await settle();
  client.replays[0]!.fail(clientError('HttpError', { status: 404 }));
  await resumed;
  await session.resume();
  expect(client.replays).toHaveLength(1);
  expect(session.conversation.runs).toMatchObject([
    { status: 'interrupted', failure: { kind: 'interrupted', retryable: true } },
  ]);
  void session.retry();
  await settle();
  expect(client.posts.map((post) => post.clientMessageId)).toEqual([clientMessageId]);
});

test('a service that says it never got the message gets it after a reload, with the same id', async () => {
  const { storage } = stored();
  const clientMessageId = await leaveWithinPost(storage);
  const { session, client } = new Harness({ storage });
  void session.resume();
  await settle();
  const problem = [{ loc: ['path', 'run_id'], msg: 'no such run', type: 'not_found' }];
  client.replays[0]!.fail(clientError('HttpError', { status: 404, problem }));
  await expect.poll(() => client.posts.map((post) => post.clientMessageId)).toEqual([clientMessageId]);
  finish(begin(client.posts[0]!, 'R-1'), 'answer');
  await settle();
  expect(session.conversation.messages.map(({ status }) => status)).toEqual(['sent', 'complete']);
});

test('a message is sent after a reload that cut the request for its token', async () => {
  const { storage } = stored();
  const first = new Harness({ storage });
  const { stream, turn } = await first.say('hello');
  stream.fail(clientError('NetworkError', { url: 'https://shop.example/token' })); // before the page hears of the reload
  await turn;
  first.session.suspend();
  first.session.dispose();
  const { session, client } = new Harness({ storage });
  void session.resume();
  await settle();
  expect(client.replays).toHaveLength(0);
  expect(client.posts.map((post) => post.clientMessageId)).toEqual([stream.clientMessageId]);
  finish(begin(client.posts[0]!, 'R-1'), 'answer');
  await settle();
  expect(session.conversation.messages.map(({ status }) => status)).toEqual(['sent', 'complete']);
});

test('a message whose own request found no network waits for Retry after a reload', async () => {
  const { storage } = stored();
  const first = new Harness({ storage });
  const { stream, turn } = await first.say('hello');
  stream.fail(clientError('NetworkError', { url: 'https://chat.example/api/v1/hub/runs/stream' }));
  await turn;
  first.session.suspend();
  first.session.dispose();
  const { session, client } = new Harness({ storage });
  await session.resume();
  expect(client.posts).toEqual([]);
});

/** A visit in a known thread that a reload ends before a message has arrived; then the page that follows. */
async function returnWithUnsent(): Promise<{ readonly page: Harness; readonly clientMessageId: unknown }> {
  const { storage } = stored();
  const first = new Harness({ storage });
  await first.exchange('hello', 'answer');
  const { stream } = await first.say('more');
  first.session.suspend();
  first.session.dispose();
  const page: Harness = new Harness({ storage, onHistory: () => void page.session.resume() });
  page.client.history = [
    { id: 'M-prompt', role: 'user', run_id: 'R', content: 'hello' },
    { id: 'M', role: 'assistant', run_id: 'R', parent_message_id: 'M-prompt', content: 'answer' },
  ];
  return { page, clientMessageId: stream.clientMessageId };
}

test('a message that did not arrive before a reload is sent once the service is back', async () => {
  const { page, clientMessageId } = await returnWithUnsent();
  const { session, client, clock } = page;
  const isDown = clientError('NetworkError');
  client.faults['listMessages'] = [isDown, isDown, isDown];
  expect(await session.loadHistory()).toBe(false);
  void session.resume();
  void session.send('and more');
  await settle();
  client.replays[0]!.fail(isDown);
  await clock.pass(10_000);
  expect(client.posts).toHaveLength(0);
  client.replays[1]!.fail(clientError('HttpError', { status: 404 }));
  await expect.poll(() => client.posts.length).toBe(1);
  expect(client.posts[0]!.clientMessageId).toBe(clientMessageId);
  finish(begin(client.posts[0]!, 'R-2'), 'another', 'M2');
  await settle();
  finish(begin(client.posts[1]!, 'R-3'), 'the last', 'M3');
  await settle();
  expect(page.transcript.slice(2)).toEqual([
    'user: more (sent)',
    'assistant: another (complete)',
    'user: and more (sent)',
    'assistant: the last (complete)',
  ]);
});

test('a message that did not arrive before a reload is sent when the history came during the search', async () => {
  const { page, clientMessageId } = await returnWithUnsent();
  const { session, client } = page;
  void session.resume();
  expect(await session.loadHistory()).toBe(true);
  client.replays[0]!.fail(clientError('HttpError', { status: 404 }));
  await expect.poll(() => client.posts.map((post) => post.clientMessageId)).toEqual([clientMessageId]);
});

test('what the visitor says right after such a reload waits until the first message is found', async () => {
  const { storage } = stored();
  await leaveWithinPost(storage);
  const second = new Harness({ storage });
  void second.session.send('more');
  await settle();
  expect(second.client.posts).toHaveLength(0);
  finish(begin(second.client.replays[0]!, 'R-1'), 'answer');
  await settle();
  finish(begin(second.client.posts[0]!, 'R-2'), 'another', 'M2');
  await settle();
  expect(second.client.posts[0]!.request?.thread_id).toBe('T');
  expect(second.transcript).toEqual([
    'user: hello (sent)',
    'assistant: answer (complete)',
    'user: more (sent)',
    'assistant: another (complete)',
  ]);
});

test('what the visitor says then waits for the first message, posted again where no turn runs twice', async () => {
  const { storage } = stored();
  const clientMessageId = await leaveWithinPost(storage);
  const second = new Harness({ storage });
  second.settings = { resumable: true };
  void second.session.send('more');
  await settle();
  expect(second.client.posts.map((post) => post.clientMessageId)).toEqual([clientMessageId]);
  finish(begin(second.client.posts[0]!, 'R-1'), 'answer');
  await settle();
  finish(begin(second.client.posts[1]!, 'R-2'), 'another', 'M2');
  await settle();
  expect(second.transcript).toEqual([
    'user: hello (sent)',
    'assistant: answer (complete)',
    'user: more (sent)',
    'assistant: another (complete)',
  ]);
});

test('a message that was never answered can be sent again after later ones', async () => {
  const { storage } = stored();
  const clientMessageId = await leaveWithinPost(storage);
  const second = new Harness({ storage });
  void second.session.send('more');
  await settle();
  second.client.replays[0]!.fail(clientError('HttpError', { status: 404 }));
  await expect.poll(() => second.client.posts.length).toBe(1);
  finish(begin(second.client.posts[0]!, 'R-2'), 'another', 'M2');
  await settle();
  void second.session.retry(second.session.conversation.runs[0]!.id);
  await expect.poll(() => second.client.posts.length).toBe(2);
  const [, again] = second.client.posts;
  expect(again?.clientMessageId).not.toBe(clientMessageId);
  expect(again?.request?.message.parent_message_id).toBeUndefined();
  finish(begin(again!, 'R-3'), 'at last', 'M3');
  await settle();
  expect(second.transcript).toEqual([
    'user: more (sent)',
    'assistant: another (complete)',
    'user: hello (sent)',
    'assistant: at last (complete)',
  ]);
  expect(second.session.conversation.messages.at(-2)?.replacedClientMessageIds).toEqual([clientMessageId]);
});

test('an author’s words for the visitor survive a reload', async () => {
  const { storage } = stored();
  const harness = new Harness({ storage });
  const { stream, turn } = await harness.say('hello');
  const error = { message: 'We are closed.', audience: 'visitor' };
  begin(stream).emit('run.failed', { error }).emit('done').close();
  await turn;
  harness.session.dispose();
  const failure = new Harness({ storage }).session.conversation.runs[0]?.failure;
  expect(failure).toMatchObject({ reason: 'We are closed.', forVisitor: true });
});
