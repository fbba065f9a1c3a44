import { expect, test } from '@playwright/test';
import { turnsOf } from '../../src/conversation/turns.ts';
import { readSnapshot, snapshotOf } from '../../src/session/index.ts';
import { clientError } from './fake-client.ts';
import { begin, finish, Harness } from './harness.ts';
import { settleImports as settle } from './manual-clock.ts';

const form = {
  id: 'form-1',
  response_type: 'forms',
  json_schema: { type: 'object', properties: { vessel: { type: 'string' } } },
  sub_type: 'arrival',
  event_type: 'form',
  dps_payload_id: 'dps-7',
};
const option = {
  id: 'o1',
  response_type: 'option',
  options: [{ label: 'North', value: { input: { text: 'North quay' } } }],
};

async function asked(item: object): Promise<{ harness: Harness; messageId: string }> {
  const harness = new Harness();
  const { stream, turn } = await harness.say('I arrive tomorrow');
  begin(stream)
    .emit('flow.slot.listen', { message: { id: 'Q', role: 'assistant', content: [item] } })
    .emit('run.completed')
    .emit('done')
    .close();
  await turn;
  await settle();
  return { harness, messageId: harness.session.conversation.messages.at(-1)!.id };
}

test('a submitted form starts a run with exactly its data', async () => {
  const { harness, messageId } = await asked(form);
  expect(harness.run.status).toBe('waiting');
  const answer = { action: 'submit', data: { vessel: 'Marigold' } } as const;
  const turn = harness.session.answer(messageId, 'form-1', answer);
  await settle();
  const { message } = harness.client.posts[1]!.request!;
  expect(message.parent_message_id).toBe('Q');
  expect(message.content).toEqual([
    {
      response_type: 'form_operation',
      id: 'form-1',
      form_operation: 'submit',
      form_data: { vessel: 'Marigold' },
      sub_type: 'arrival',
      event_type: 'form',
      dps_payload_id: 'dps-7',
    },
  ]);
  expect(message.additional_properties?.display_properties).toEqual({ form_operation: 'submit' });
  finish(begin(harness.client.posts[1]!, 'R2'), 'Noted.', 'M2');
  await turn;
  const asking = harness.session.conversation.messages.find(({ id }) => id === messageId)!;
  expect(asking.answers).toEqual({ 'form-1': answer });
  expect(harness.session.conversation.runs[0]?.needsReply).toBe(false);
});

test('the answer to a question of a run that goes on is not shown as a turn', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('Order a pilot');
  begin(stream).emit('flow.slot.listen', { message: { id: 'Q', role: 'assistant', content: [form] } });
  await settle();
  const { id } = harness.session.conversation.messages.at(-1)!;
  void harness.session.answer(id, 'form-1', { action: 'submit', data: { vessel: 'Marigold' } });
  await settle();
  const { message } = harness.client.posts[1]!.request!;
  expect(message.additional_properties?.display_properties).toEqual({
    form_operation: 'submit',
    skip_render: true,
  });
  begin(harness.client.posts[1]!, 'R2').emit('run.completed').emit('done').close();
  finish(stream, 'It comes at noon.', 'M2');
  await settle();
  const [turn, ...others] = turnsOf(harness.session.conversation, []).filter(({ prompt }) => prompt);
  expect(others).toEqual([]);
  expect(turn?.answers.map(({ items }) => items.at(-1)?.text)).toEqual(['', 'It comes at noon.']);
});

test('a run that goes on after its question is read again when its connection broke, and on the next page', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('Order a pilot');
  begin(stream).emit('flow.slot.listen', { message: { id: 'Q', role: 'assistant', content: [form] } });
  await settle();
  stream.fail(clientError('StreamInterruptedError'));
  await settle();
  harness.client.replays[0]!.open();
  await settle();
  expect(harness.run).toMatchObject({ status: 'waiting', needsReply: true, endedAt: undefined });
  const restored = readSnapshot(snapshotOf(harness.session.conversation));
  const next = new Harness({ initial: restored });
  void next.session.resume();
  await settle();
  const replay = next.client.replays[0]!;
  for (let known = 0; known < 3; known += 1) replay.emit('run.step.intermediate', { message: 'known' });
  replay.open();
  await settle();
  expect(next.run).toMatchObject({ status: 'waiting', needsReply: true, endedAt: undefined });
  const { id } = next.session.conversation.messages.at(-1)!;
  void next.session.answer(id, 'form-1', { action: 'submit', data: { vessel: 'Marigold' } });
  await settle();
  begin(next.client.posts[0]!, 'R2').emit('run.completed').emit('done').close();
  finish(replay, 'It comes at noon.', 'M2');
  await settle();
  expect(next.session.conversation.runs[0]).toMatchObject({ status: 'completed', needsReply: false });
  const [turn] = turnsOf(next.session.conversation, []).filter(({ prompt }) => prompt);
  expect(turn?.answers.map(({ items }) => items.at(-1)?.text)).toEqual(['', 'It comes at noon.']);
});

test('a question whose run cannot be read again still waits for its answer', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('Order a pilot');
  begin(stream).emit('flow.slot.listen', { message: { id: 'Q', role: 'assistant', content: [form] } });
  await settle();
  stream.fail(clientError('StreamInterruptedError'));
  await settle();
  harness.client.replays[0]!.fail(clientError('HttpError', { status: 404 }));
  await turn;
  await settle();
  expect(harness.run).toMatchObject({ status: 'waiting', failure: undefined });
});

test('an answer that is no object is sent as {"value": …}', async () => {
  for (const [data, sent] of [
    ['Marigold', { value: 'Marigold' }],
    [7, { value: 7 }],
    [['a', 'b'], { value: ['a', 'b'] }],
    [undefined, {}],
  ]) {
    const { harness, messageId } = await asked(form);
    void harness.session.answer(messageId, 'form-1', { action: 'submit', data });
    await settle();
    expect(harness.client.posts[1]!.request!.message.content).toMatchObject([{ form_data: sent }]);
  }
});

test('a secret of a form is stored only until the service has received it', async () => {
  const { harness, messageId } = await asked(form);
  const operation = { response_type: 'form_operation', id: 'form-1', form_operation: 'submit' };
  const turn = harness.session.answer(
    messageId,
    'form-1',
    { action: 'submit', data: { vessel: 'Marigold', secret: '••••••' } },
    {
      content: [{ ...operation, form_data: { vessel: 'Marigold', secret: 'open sesame' } }],
      additional_properties: { display_properties: { form_operation: 'submit' } },
    },
  );
  await settle();
  expect(JSON.stringify(harness.client.posts[1]!.request)).toContain('open sesame');
  expect(JSON.stringify(snapshotOf(harness.session.conversation))).toContain('open sesame');
  begin(harness.client.posts[1]!, 'R2');
  await settle();
  const kept = JSON.stringify(snapshotOf(harness.session.conversation));
  expect(kept).toContain('"form_data":{"vessel":"Marigold","secret":"••••••"}');
  expect(kept).not.toContain('open sesame');
  finish(harness.client.posts[1]!, 'Noted.', 'M2');
  await turn;
});

test('an answered form is not answered twice', async () => {
  const { harness, messageId } = await asked(form);
  void harness.session.answer(messageId, 'form-1', { action: 'cancel', data: undefined });
  void harness.session.answer(messageId, 'form-1', { action: 'submit', data: {} });
  await settle();
  expect(harness.client.posts).toHaveLength(2);
  const content = harness.client.posts[1]!.request!.message.content;
  expect(content).toMatchObject([{ form_operation: 'cancel', form_data: {} }]);
});

test('a chosen option is sent with its text', async () => {
  const { harness, messageId } = await asked(option);
  void harness.session.answer(messageId, 'o1', { action: 'choose', data: option.options[0] });
  await settle();
  const { message } = harness.client.posts[1]!.request!;
  expect(message.content).toEqual([{ response_type: 'text', text: 'North quay' }]);
  expect(message.message_state).toEqual({ input: { display_text: 'North' } });
  expect(message.parent_message_id).toBe('Q');
});

test('a second choice names no parent, with which the service would take it for an edit of the first', async () => {
  const other = { ...option, id: 'o2', options: ['Red', 'Green'] };
  const { harness, messageId } = await asked({ response_type: 'card', id: 'c', body: [option, other] });
  const choose = (item: string, text: string): Promise<void> => {
    const message = { content: [{ response_type: 'text', text }] };
    return harness.session.answer(messageId, item, { action: 'choose', data: text }, message);
  };
  const first = choose('o1', 'North quay');
  await settle();
  finish(begin(harness.client.posts[1]!, 'R2'), 'Noted.', 'M2');
  await first;
  void choose('o2', 'Green');
  await settle();
  const parents = harness.client.posts.map(({ request }) => request?.message.parent_message_id);
  expect(parents).toEqual([undefined, 'Q', undefined]);
});

test('a form can be answered through the callback of its thread', async () => {
  const { harness, messageId } = await asked(form);
  harness.settings = { formSubmit: 'callback' };
  await harness.session.answer(messageId, 'form-1', { action: 'submit', data: { vessel: 'Marigold' } });
  expect(harness.client.posts).toHaveLength(1);
  expect(harness.client.callbacks).toHaveLength(1);
  expect(harness.client.callbacks[0]).toMatchObject({
    threadId: 'T',
    message: {
      parent_message_id: 'Q',
      content: [{ form_operation: 'submit', form_data: { vessel: 'Marigold' } }],
    },
  });
  expect(harness.run.status).toBe('completed');
  expect(harness.session.conversation.messages.at(-1)).toMatchObject({
    status: 'sent',
    messageId: 'stored-1',
  });
});

test('a failed callback is reported, and Retry posts the same message to the callback', async () => {
  const { harness, messageId } = await asked(form);
  harness.settings = { formSubmit: 'callback' };
  harness.client.faults['postCallback'] = [clientError('HttpError', { status: 503 })];
  await harness.session.answer(messageId, 'form-1', { action: 'submit', data: {} });
  expect(harness.run.failure?.kind).toBe('server');
  await harness.session.retry();
  expect(harness.client.callbacks).toHaveLength(2);
  expect(harness.client.callbacks[1]).toEqual(harness.client.callbacks[0]);
  expect(harness.run.status).toBe('completed');
  expect(harness.client.posts).toHaveLength(1);
});

test('an item inside a card can be answered once; an unknown item cannot', async () => {
  const { harness, messageId } = await asked({ response_type: 'card', id: 'c', body: [option] });
  const message = { content: [{ response_type: 'text', text: 'North quay' }] };
  void harness.session.answer(messageId, 'o1', { action: 'choose', data: 'North quay' }, message);
  void harness.session.answer(messageId, 'o1', { action: 'choose', data: 'North quay' }, message);
  void harness.session.answer(messageId, 'x', { action: 'submit', data: {} });
  await settle();
  expect(harness.client.posts).toHaveLength(2);
  expect(harness.client.posts[1]!.request!.message).toMatchObject({ ...message, parent_message_id: 'Q' });
  const asking = harness.session.conversation.messages.find(({ id }) => id === messageId)!;
  expect(asking.answers).toEqual({ o1: { action: 'choose', data: 'North quay' } });
});

test('an answer that the service rejects can be changed and sent again', async () => {
  for (const status of [413, 422]) {
    const { harness, messageId } = await asked(form);
    const turn = harness.session.answer(messageId, 'form-1', { action: 'submit', data: { vessel: 'long' } });
    await settle();
    harness.client.posts[1]!.refuse(status).fail(clientError('HttpError', { status }));
    await turn;
    const asking = harness.session.conversation.messages.find(({ id }) => id === messageId)!;
    expect(asking.answers).toEqual({});
    expect(harness.run.failure?.retryable).toBe(false);
    void harness.session.answer(messageId, 'form-1', { action: 'submit', data: { vessel: 'short' } });
    await settle();
    expect(harness.client.posts[2]!.request!.message.content).toMatchObject([
      { form_data: { vessel: 'short' } },
    ]);
  }
});

for (const id of ['constructor', '__proto__']) {
  test(`an item whose id is ${id} can be answered, once`, async () => {
    const { harness, messageId } = await asked({ ...form, id });
    const answer = { action: 'submit' as const, data: {} };
    void harness.session.answer(messageId, id, answer);
    void harness.session.answer(messageId, id, answer);
    await settle();
    expect(harness.client.posts).toHaveLength(2);
    expect(harness.client.posts[1]?.request?.message.content).toMatchObject([{ id }]);
  });
}
