import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../src/conversation/conversation.ts';
import { addPrompt, beginRun, reduceRunEvent } from '../../src/conversation/index.ts';
import { mergeHistory } from '../../src/conversation/merge-history.ts';
import { compareClocks } from '../../src/protocol/service-clock.ts';

/* Forms that were answered on another device: the history alone says so. */

const form = {
  response_type: 'forms',
  id: 'F1',
  json_schema: {
    type: 'object',
    properties: { vessel: { type: 'string' }, code: { type: 'string', format: 'password' } },
  },
};
const question = { id: '1', role: 'assistant', run_id: 'R1', content: [form, { ...form, id: 'F2' }] };
const answer = (fields: object) => ({
  id: '2',
  role: 'user',
  run_id: 'R2',
  parent_message_id: '1',
  content: [{ response_type: 'form_operation', id: 'F1', ...fields }],
});

test('a form that was submitted elsewhere is closed with its data, without passwords', () => {
  const submitted = answer({ form_operation: 'submit', form_data: { vessel: 'Marigold', code: '1234' } });
  const asked = mergeHistory(emptyConversation, [question], { at: 0 });
  expect(asked.messages[0]?.answers).toEqual({});
  const answers = { F1: { action: 'submit', data: { vessel: 'Marigold', code: '••••••' } } };
  for (const before of [emptyConversation, asked]) {
    const merged = mergeHistory(before, [question, submitted], { at: 0 });
    expect(merged.messages[0]?.answers).toEqual(answers);
    expect(mergeHistory(merged, [question, submitted], { at: 0 })).toBe(merged);
  }
});

test('a form of a single value, and one that was cancelled', () => {
  const single = { ...question, content: [{ ...form, json_schema: { type: 'string' } }] };
  const submitted = answer({ form_operation: 'submit', form_data: { value: 'Marigold' } });
  const [asked] = mergeHistory(emptyConversation, [single, submitted], { at: 0 }).messages;
  expect(asked?.answers).toEqual({ F1: { action: 'submit', data: 'Marigold' } });
  const cancelled = answer({ form_operation: 'cancel', form_data: {} });
  const [other] = mergeHistory(emptyConversation, [question, cancelled], { at: 0 }).messages;
  expect(other?.answers).toEqual({ F1: { action: 'cancel', data: {} } });
});

test('a run that goes on here has begun by the clock of this device, so that it has not taken hours', () => {
  const now = Date.now();
  const hours = 3 * 3_600_000;
  const begun = now - hours - 5_000;
  const known = { ...emptyConversation, threadId: 'T1' };
  const created_on = new Date(begun).toISOString();
  const merge = () =>
    mergeHistory(known, [{ id: '1', role: 'user', run_id: 'R1', created_on, content: 'Hello' }], { at: now });
  compareClocks(new Headers({ Date: new Date(now - hours).toUTCString() }));
  const [run] = merge().runs;
  expect(merge().messages[0]?.createdAt).toBe(begun);
  compareClocks(new Headers({ Date: new Date(now).toUTCString() }));
  expect(run?.status).toBe('interrupted');
  expect(Math.abs((run?.startedAt ?? 0) - (now - 5_000))).toBeLessThan(2_000);
  expect(merge().runs[0]?.startedAt).toBe(begun);
});

test('a form whose id is a number on the wire is closed too', () => {
  const numbered = { ...question, content: [{ ...form, id: 5 }] };
  const submitted = { ...answer({ id: '5', form_operation: 'submit', form_data: {} }) };
  const [asked] = mergeHistory(emptyConversation, [numbered, submitted], { at: 0 }).messages;
  expect(asked?.answers).toEqual({ 5: { action: 'submit', data: {} } });
});

test('answers of unknown runs are kept while a message is being sent', () => {
  const sending = beginRun(addPrompt(emptyConversation, { id: 'p', items: [] }, 0), 'p', { at: 0 });
  const stored = [
    { id: '0', role: 'user', content: 'Any berth?' },
    { ...question, content: 'Two.' },
  ];
  const merged = mergeHistory(sending, stored, { at: 0, isReading: true });
  expect(merged.messages.map(({ messageId }) => messageId)).toEqual(['0', '1', undefined]);
});

test('an answer that ended while the page loaded again is shown once, although its events are read, too', () => {
  const items = [{ id: '1', type: 'text', text: 'Hello', source: { response_type: 'text', text: 'Hello' } }];
  const sent = addPrompt(emptyConversation, { id: 'p', items, clientMessageId: 'c' }, 0);
  const begun = reduceRunEvent(
    beginRun(sent, 'p', { at: 0 }),
    { id: '0', event: 'run.started', data: { run_id: 'R1', thread_id: 'T1' } },
    { runKey: 'p', at: 0 },
  );
  const content = [{ id: '1', response_type: 'text', text: 'I have thought.' }];
  const additional_properties = { client_message_id: 'c' };
  const answer = { id: 'A1', role: 'assistant', run_id: 'R1', parent_message_id: 'P1', content };
  const stored = [{ id: 'P1', role: 'user', run_id: 'R1', content: 'Hello', additional_properties }, answer];
  const merged = mergeHistory(begun, stored, { at: 0 });
  const events = [
    { id: '1', event: 'message.started', data: { message_id: 'A1' } },
    { id: '2', event: 'message.delta', data: { delta: { content: [{ ...content[0], text: 'I have ' }] } } },
    { id: '3', event: 'message.delta', data: { delta: { content: [{ ...content[0], text: 'thought.' }] } } },
    { id: '4', event: 'message.created', data: { message_id: 'A1', message: answer } },
    { id: '5', event: 'message.completed', data: { message_id: 'A1' } },
    { id: '6', event: 'run.completed', data: {} },
  ];
  const read = events.reduce(
    (conversation, event) => reduceRunEvent(conversation, event, { runKey: 'p', at: 1 }),
    merged,
  );
  const said = read.messages.map(({ role, status, items: [item] }) => [role, item?.text, status]);
  expect(said).toEqual([
    ['user', 'Hello', 'sent'],
    ['assistant', 'I have thought.', 'complete'],
  ]);
});
