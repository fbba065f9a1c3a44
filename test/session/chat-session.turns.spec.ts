import { expect, test } from '@playwright/test';
import { clientError, FakeClient } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle, settleImports } from './manual-clock.ts';

test('a second message waits for the run before it, and can be removed', async () => {
  const harness = new Harness();
  const { session, client } = harness;
  const first = await harness.say('one');
  begin(first.stream);
  const second = session.send('two');
  const third = session.send('three');
  await settle();
  expect(client.posts).toHaveLength(1);
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant:  (streaming)',
    'user: two (queued)',
    'user: three (queued)',
  ]);
  session.removeQueued(session.conversation.messages.find(({ items }) => items[0]?.text === 'two')!.id);
  await second;
  finish(first.stream, 'first answer');
  await first.turn;
  await settle();
  expect(client.posts).toHaveLength(2);
  expect(client.posts[1]?.request?.message.content).toEqual([{ response_type: 'text', text: 'three' }]);
  expect(client.posts[1]?.request?.thread_id).toBe('T');
  expect(client.posts[1]?.request?.context).toEqual({ seen: 'first answer' });
  finish(begin(client.posts[1]!), 'second answer', 'M2');
  await third;
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant: first answer (complete)',
    'user: three (sent)',
    'assistant: second answer (complete)',
  ]);
});

test('an empty message is not sent', async () => {
  const { session, client } = new Harness();
  await session.send('   ');
  await session.send('\u200b \u2060\ufeff\u00ad');
  await session.send({ content: [] });
  expect(client.posts).toHaveLength(0);
  expect(session.conversation.messages).toEqual([]);
});

test('a request contains every setting of the host, overridden by the message', async () => {
  const harness = new Harness();
  harness.settings = {
    agentId: 'demo',
    environmentId: 'draft',
    version: 3,
    llmParams: { temperature: 0.2 },
    guardrails: { pii: { input: { enabled: true } } },
    context: { seen: 'by the host', page: '/quay' },
    contextVariables: { vessel: 'Marigold' },
    additionalParameters: { delay_ms: 20 },
    messageDefaults: {
      assistant_id: 'A',
      context: { values: [1] },
      additional_properties: { tool_name: 'x' },
    },
  };
  const turn = harness.session.send({
    content: 'hello',
    mentions: [{ type: 'agent', name: 'Clerk' }],
    documentIds: ['D'],
    displayText: 'Hello!',
    message: { context: { values: [2] }, additional_properties: { novel: true } },
  });
  await settle();
  const { request } = harness.client.posts[0]!;
  const id = harness.session.conversation.messages[0]!.clientMessageId;
  expect(request).toEqual({
    message: {
      role: 'user',
      content: [{ response_type: 'text', text: 'hello' }],
      assistant_id: 'A',
      context: { values: [2] },
      mentions: [{ type: 'agent', name: 'Clerk' }],
      document_ids: ['D'],
      additional_properties: { tool_name: 'x', novel: true, client_message_id: id },
      message_state: { input: { display_text: 'Hello!' } },
    },
    agent_id: 'demo',
    environment_id: 'draft',
    version: 3,
    llm_params: { temperature: 0.2 },
    guardrails: { pii: { input: { enabled: true } } },
    context: { seen: 'by the host', page: '/quay' },
    context_variables: { vessel: 'Marigold' },
    additional_parameters: { delay_ms: 20 },
  });
  harness.session.dispose();
  await turn;
});

test('a silent message is sent but not shown', async () => {
  const harness = new Harness();
  void harness.session.send({ content: 'context for the agent', silent: true });
  await settle();
  expect(harness.transcript).toEqual([]);
  const { message } = harness.client.posts[0]!.request!;
  expect(message.additional_properties?.display_properties?.skip_render).toBe(true);
});

test('Stop keeps the partial answer, cancels by the run id, and ends the turn immediately', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('count to a thousand');
  delta(begin(stream, 'R-7'), 'one, two');
  await settle();
  expect(harness.session.canStop).toBe(true);
  await harness.session.stop();
  await turn;
  expect(harness.client.cancelled).toEqual(['R-7']);
  expect(stream.isClosed).toBe(true);
  expect(harness.run.status).toBe('cancelled');
  expect(harness.run.stopUnconfirmed).toBe(false);
  expect(harness.answer).toBe('one, two');
  expect(harness.session.busy).toBe(false);
  expect(harness.session.connection).toBe('idle');
  await harness.session.stop();
  expect(harness.client.cancelled).toHaveLength(1);
});

test('Stop does not wait for an unreachable service, and the next message is sent immediately', async () => {
  const harness = new Harness();
  harness.client.extensions.cancelRun = () => new Promise(() => undefined);
  const { turn } = await harness.say('first');
  const stopping = harness.session.stop();
  await turn;
  expect(harness.run.status).toBe('cancelled');
  const next = await harness.say('second');
  expect(harness.client.posts).toHaveLength(2);
  await harness.clock.pass(6_000);
  await stopping;
  harness.session.dispose();
  await next.turn;
});

test('a run is cancelled by the client that posted it, also when the next visitor has another', async () => {
  const [first, second] = [new FakeClient(), new FakeClient()];
  let client = first;
  const { session } = new Harness({ client: () => client });
  void session.send('hello');
  await settle();
  begin(first.posts[0]!, 'R-7');
  await settle();
  client = second;
  session.newThread();
  await expect.poll(() => first.cancelled).toEqual(['R-7']);
  expect(second.cancelled).toEqual([]);
});

test('Stop before the id of the run is known cancels by the message', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  const stopping = harness.session.stop();
  await turn;
  await stopping;
  expect(harness.client.cancelled).toEqual([stream.clientMessageId]);
  expect(harness.run.status).toBe('cancelled');
  expect(stream.isClosed).toBe(true);
});

test('Stop before the service knows the message is repeated with the run id', async () => {
  const harness = new Harness();
  harness.client.faults['cancelRun'] = [clientError('HttpError', { status: 404 })];
  const { stream, turn } = await harness.say('hello');
  const stopping = harness.session.stop();
  await turn;
  await settle();
  delta(begin(stream, 'R-9'), 'this comes too late');
  await stopping;
  expect(harness.client.cancelled).toEqual([stream.clientMessageId, 'R-9']);
  expect(harness.answer).toBe('');
  expect(harness.run.stopUnconfirmed).toBe(false);
});

test('Stop at a service that cannot cancel reports that the agent may continue', async () => {
  const harness = new Harness();
  harness.client.faults['cancelRun'] = [clientError('HttpError', { status: 405 })];
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  await settle();
  await harness.session.stop();
  await turn;
  expect(harness.run.stopUnconfirmed).toBe(true);
  expect(harness.diagnostics.map(({ code }) => code)).toEqual(['stop-unconfirmed']);
});

test('Stop before any event at a service that cannot cancel reports at once that the agent may continue', async () => {
  const harness = new Harness();
  harness.client.faults['cancelRun'] = [clientError('HttpError', { status: 404 })];
  const { turn } = await harness.say('hello');
  const stopping = harness.session.stop();
  await turn;
  await expect.poll(() => harness.run.stopUnconfirmed).toBe(true); // no time has passed
  await harness.clock.pass(5_000);
  await stopping;
  expect(harness.run.stopUnconfirmed).toBe(true);
  expect(harness.diagnostics.map(({ code }) => code)).toEqual(['stop-unconfirmed']);
});

test('Stop ends the turn even when nothing responds', async () => {
  const harness = new Harness();
  harness.client.faults['cancelRun'] = [clientError('NetworkError')];
  const { turn } = await harness.say('hello');
  const stopping = harness.session.stop();
  await turn;
  // the waits of the request, of who stops, and for the run's id: what asks for the latter is fetched first
  await expect.poll(() => harness.clock.pending).toBe(3);
  await harness.clock.pass(5_000);
  await stopping;
  expect(harness.run.stopUnconfirmed).toBe(true);
  expect(harness.session.busy).toBe(false);
  expect(harness.clock.pending).toBe(0);
});

test('a turn ends after two seconds of silence when the service sends no done', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'answer').emit('run.completed');
  await settle();
  expect(harness.session.busy).toBe(true);
  await harness.clock.pass(2_000);
  await turn;
  expect(harness.run.status).toBe('completed');
  expect(stream.isClosed).toBe(true);
});

test('events after done are still applied, then the stream is closed', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'draft').emit('run.completed').emit('done');
  await turn;
  stream.emit('message.created', {
    message_id: 'M',
    message: { id: 'M', role: 'assistant', content: [{ id: '1', response_type: 'text', text: 'final' }] },
  });
  await settle();
  expect(harness.answer).toBe('final');
  await harness.clock.pass(2_000);
  expect(stream.isClosed).toBe(true);
  expect(harness.clock.pending).toBe(0);
});

test('a regenerated turn replaces the old one', async () => {
  const harness = new Harness();
  await harness.exchange('first', 'answer one', 'M1');
  await harness.exchange('second', 'answer two', 'M2');
  const answer = harness.session.conversation.messages.at(-1)!;
  const again = harness.session.regenerate(answer.id);
  await settleImports();
  const { message } = harness.client.posts[2]!.request!;
  expect(message.parent_message_id).toBe('M1');
  expect(message.content).toEqual([{ response_type: 'text', text: 'second' }]);
  expect(message.additional_properties?.['client_message_id']).not.toBe(
    harness.client.posts[1]!.clientMessageId,
  );
  finish(begin(harness.client.posts[2]!), 'answer three', 'M3');
  await again;
  expect(harness.transcript).toEqual([
    'user: first (sent)',
    'assistant: answer one (complete)',
    'user: second (sent)',
    'assistant: answer three (complete)',
  ]);
  await harness.say('what follows');
  expect(harness.client.posts[3]!.request!.message.parent_message_id).toBeUndefined();
});

test('a message after an edit that failed to arrive has the turn before it as parent', async () => {
  const harness = new Harness();
  await harness.exchange('first', 'answer one', 'M1');
  await harness.exchange('second', 'answer two', 'M2');
  const edit = harness.session.edit(harness.session.conversation.messages.at(-2)!.id, 'better');
  await settleImports();
  harness.client.posts[2]!.fail(clientError('HttpError', { status: 400 }));
  await edit;
  await harness.say('what follows');
  expect(harness.client.posts[3]!.request!.message.parent_message_id).toBe('M1');
});

test('a message after an interrupted edit has no parent', async () => {
  const harness = new Harness();
  harness.settings = { resumable: false };
  await harness.exchange('first', 'answer one', 'M1');
  await harness.exchange('second', 'answer two', 'M2');
  const edit = harness.session.edit(harness.session.conversation.messages.at(-2)!.id, 'better');
  await settleImports();
  begin(harness.client.posts[2]!, 'R3').fail(clientError('StreamInterruptedError'));
  await edit;
  await harness.say('what follows');
  expect(harness.client.posts[3]!.request!.message.parent_message_id).toBeUndefined();
});

test('an edit of the first turn replaces it', async () => {
  const harness = new Harness();
  await harness.exchange('first', 'answer one', 'M1');
  void harness.session.edit(harness.session.conversation.messages[0]!.id, 'better');
  await settleImports();
  const { message } = harness.client.posts[1]!.request!;
  expect(message.parent_message_id).toBe('M1-prompt');
  expect(message.content).toEqual([{ response_type: 'text', text: 'better' }]);
  expect(harness.transcript).toEqual(['user: better (sending)']);
});

test('while the agent waits, a message starts a new run at once and answers the question', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('book a berth');
  begin(stream).emit('message.interrupt', {
    message: { id: 'Q', role: 'assistant', content: [{ id: '1', response_type: 'text', text: 'For when?' }] },
  });
  await turn;
  expect(harness.session.busy).toBe(false);
  expect(harness.run.needsReply).toBe(true);
  expect(stream.isClosed).toBe(false);
  const reply = await harness.say('tomorrow');
  expect(harness.client.posts).toHaveLength(2);
  expect(reply.stream.request?.message.parent_message_id).toBe('Q');
  expect(harness.session.conversation.runs[0]?.needsReply).toBe(false);
  stream.emit('run.completed').emit('done').close();
  finish(begin(reply.stream, 'R2'), 'Booked.', 'M2');
  await reply.turn;
  expect(harness.session.conversation.runs.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('a question that is answered before its stream ends leaves a complete run', async () => {
  const harness = new Harness({ settings: () => ({ resumable: true }) });
  const { stream } = await harness.say('read the cart');
  begin(stream).emit('message.interrupt', {
    message: { id: 'Q', role: 'assistant', content: [{ id: '1', response_type: 'text', text: 'Which?' }] },
  });
  await settle();
  expect(harness.session.canStop).toBe(true);
  const reply = await harness.say('mine'); // as a page tool does at once
  expect(harness.session.conversation.runs[0]).toMatchObject({ needsReply: false, status: 'waiting' });
  stream.close();
  await settle();
  expect(harness.session.conversation.runs[0]).toMatchObject({ status: 'completed', failure: undefined });
  expect(harness.client.replays).toEqual([]);
  finish(begin(reply.stream, 'R2'), 'Empty.', 'M2');
  await reply.turn;
  expect(harness.session.busy).toBe(false);
  expect(harness.session.connection).toBe('idle');
});

test('a run that was replied to in another turn can be stopped only once it goes on', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('read the cart');
  begin(stream).emit('message.interrupt', {
    message: { id: 'Q', role: 'assistant', content: [{ id: '1', response_type: 'text', text: 'Which?' }] },
  });
  await settle();
  expect(harness.session.canStop).toBe(true);
  const reply = await harness.say('mine');
  expect(harness.session.canStop).toBe(true);
  finish(begin(reply.stream, 'R2'), 'Empty.', 'M2');
  await reply.turn;
  expect(harness.session.canStop).toBe(false);
  stream.emit('message.delta', {
    delta: { role: 'assistant', content: [{ id: '2', response_type: 'text', text: 'And now' }] },
  });
  await settle();
  expect(harness.session.canStop).toBe(true);
});

test('an answered run that goes on and breaks off is interrupted', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('order a pilot');
  begin(stream).emit('flow.slot.listen', { text: 'For when?' });
  await settle();
  void harness.say('tomorrow');
  await settle();
  delta(stream, 'The pilot comes at');
  await settle();
  expect(harness.session.conversation.runs[0]?.status).toBe('streaming');
  harness.settings = { resumable: false };
  stream.close();
  await settle();
  expect(harness.session.conversation.runs[0]?.status).toBe('interrupted');
});

test('feedback on two answers with equal item ids is sent for both', async () => {
  const harness = new Harness();
  await harness.exchange('one', 'first', 'M1');
  await harness.exchange('two', 'second', 'M2');
  const answers = harness.session.conversation.messages.filter(({ role }) => role !== 'user');
  expect(answers.map(({ items }) => items[0]?.id)).toEqual(['1', '1']);
  for (const [place, answer] of answers.entries()) {
    harness.session.feedback(answer.id, undefined, { is_positive: place === 0 });
  }
  harness.session.feedback(answers[1]!.id, undefined, { is_positive: false, text: 'wrong' });
  await harness.exchange('three', 'third', 'M3');
  expect(harness.client.posts[2]!.request!.message.message_state).toEqual({
    content: {
      '1': { feedback: { is_positive: true } },
      M2: { feedback: { is_positive: false, text: 'wrong' } },
    },
  });
});

test('feedback is recorded in the message and sent with the next one', async () => {
  const harness = new Harness();
  await harness.exchange('hello', 'answer', 'M1');
  const answer = harness.session.conversation.messages.at(-1)!;
  harness.session.feedback(answer.id, undefined, {
    is_positive: false,
    text: 'too short',
    selected_categories: ['short'],
  });
  const feedback = { is_positive: false, text: 'too short', selected_categories: ['short'] };
  expect(harness.session.conversation.messages.at(-1)?.messageState).toEqual({
    content: { '1': { feedback } },
  });
  await harness.say('more');
  expect(harness.client.posts[1]!.request!.message.message_state).toEqual({ content: { '1': { feedback } } });
});

test('a new thread stops the run and clears the conversation', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  begin(stream, 'R-1');
  await settle();
  harness.session.newThread();
  await turn;
  await expect.poll(() => harness.client.cancelled).toEqual(['R-1']);
  expect(harness.session.conversation).toEqual({
    threadId: undefined,
    messages: [],
    runs: [],
    context: undefined,
  });
  expect(harness.session.busy).toBe(false);
});
