import { expect, test } from '@playwright/test';
import type { Conversation } from '../../../src/conversation/index.ts';
import { createStep } from '../../../src/conversation/factories.ts';
import { endStream, reduceRunEvent } from '../../../src/conversation/index.ts';
import { mergeHistory } from '../../../src/conversation/merge-history.ts';
import { normalizeResult } from '../../../src/client/framing/normalize-result.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { asksToDecide, turnsOf } from '../../../src/conversation/turns.ts';
import { answerTo, recordFeedback } from '../../../src/conversation/visitor-actions.ts';
import { runEventKinds, unlistedRunEventKinds } from '../../../src/protocol/run-event-kinds.ts';
import { fold, runKey, startedAt, submitted } from '../fold.ts';

let count = 0;

/** Reduces one event with an id of its own. */
function reduce(conversation: Conversation, event: string, data: Record<string, unknown> = {}): Conversation {
  count += 1;
  return reduceRunEvent(
    conversation,
    { id: `${startedAt + count}-0`, event, data },
    { runKey, at: startedAt + count },
  );
}

function run(conversation: Conversation) {
  return conversation.runs[0]!;
}

const failures: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ error: 'plain' }, 'plain'],
  [{ error: { message: 'nested' } }, 'nested'],
  [{ last_error: { code: 'x', message: 'last' } }, 'last'],
  [{ message: 'as a message' }, 'as a message'],
  [{ message: { text: 'as a text' } }, 'as a text'],
  [{ detail: 'a detail' }, 'a detail'],
  [{ detail: [{ loc: ['body'], msg: 'one', type: 't' }, { msg: 'two' }] }, 'one; two'],
  [{ error: { error: { message: 'deep' } } }, 'deep'],
  [{}, ''],
  [{ error: null, detail: 7 }, ''],
  [{ error: true, message: 'beside the mark' }, 'beside the mark'],
  [{ error: {}, detail: 'beside nothing' }, 'beside nothing'],
];

for (const [data, reason] of failures) {
  test(`run.failed with ${JSON.stringify(data)} says ${JSON.stringify(reason)}`, () => {
    const failed = run(reduce(submitted(), 'run.failed', data));
    expect(failed.failure).toMatchObject({ kind: 'run', reason, retryable: true });
    expect(failed.status).toBe('failed');
  });
}

test('an author’s words for the visitor are marked', () => {
  const isMarked = (error: unknown): unknown =>
    run(reduce(submitted(), 'run.failed', { error })).failure?.forVisitor;
  expect(isMarked({ message: 'We are closed.', audience: 'visitor' })).toBe(true);
  expect(isMarked({ message: 'no such table', audience: 'developer' })).toBeUndefined();
  expect(isMarked('no such table')).toBeUndefined();
});

test('an expired run took too long, unless our service lost it in a crash', () => {
  const kindOf = (reason: string): string | undefined => {
    const data = { reason, error: { code: reason, message: 'The answer was interrupted.' } };
    return run(reduce(submitted(), 'run.expired', data)).failure?.kind;
  };
  expect(['time_limit', 'owner_died', 'lease_lost'].map(kindOf)).toEqual(['expired', 'run', 'run']);
});

const thoughts: readonly (readonly [string, Record<string, unknown>])[] = [
  ['data.thinking', { thinking: 'Hm.' }],
  ['data.thinking as an object', { thinking: { text: 'Hm.' } }],
  ['data.content', { content: 'Hm.' }],
  ['data.text', { text: 'Hm.' }],
  ['data.delta', { delta: 'Hm.' }],
  ['data.delta.text', { delta: { text: 'Hm.' } }],
  ['data.delta.step_details', { delta: { step_details: [{ type: 'thinking', content: 'Hm.' }] } }],
  ['data.step_details with text', { step_details: { type: 'thinking', text: 'Hm.' } }],
];

for (const [form, data] of thoughts) {
  test(`reasoning is read from ${form}`, () => {
    expect(run(reduce(submitted(), 'run.step.thinking', data)).thinking).toBe('Hm.');
  });
}

test('a thinking event with a message keeps its text as a line of the reasoning', () => {
  const first = reduce(submitted(), 'run.step.thinking', {
    message: { key: 'k', text: 'Reading the invoice' },
  });
  const repeated = reduce(first, 'run.step.thinking', { message: { key: 'k', text: 'Reading the invoice' } });
  const second = reduce(repeated, 'run.step.thinking', { message: 'Comparing prices' });
  const third = reduce(second, 'run.step.thinking', { thinking: 'It is due.' });
  expect(run(third).thinking).toBe('Reading the invoice\nComparing prices\nIt is due.');
  expect(run(reduce(third, 'run.completed')).thinking).toBe(
    'Reading the invoice\nComparing prices\nIt is due.',
  );
});

test('a step that fails without a start is shown with its reason', () => {
  const failed = run(
    reduce(submitted(), 'run.step.failed', { step_id: 'S', error: { message: 'no access' } }),
  );
  expect(failed.steps).toEqual([
    { ...createStep('S', 'step'), status: 'failed', error: 'no access', agentName: undefined },
  ]);
  const unnamed = run(reduce(submitted(), 'run.step.failed', { message: 'no access' }));
  expect(unnamed.steps).toMatchObject([{ status: 'failed', error: 'no access' }]);
});

test('reasoning keeps its place between the steps', () => {
  const called = reduce(submitted(), 'run.step.started', { step_id: 'S', name: 'Search' });
  expect(run(called).thinkingAt).toBeUndefined();
  const thought = reduce(called, 'run.step.thinking', { thinking: 'Hm.' });
  expect(run(thought).thinkingAt).toBe(1);
  const later = reduce(thought, 'run.step.started', { step_id: 'T', name: 'Read' });
  expect(run(reduce(later, 'run.step.thinking', { thinking: ' Well.' })).thinkingAt).toBe(1);
});

test('blank pieces before the reasoning are no reasoning', () => {
  const blank = reduce(submitted(), 'run.step.thinking', { thinking: '\n\n' });
  expect(run(blank).thinking).toBe('');
  expect(run(reduce(blank, 'run.step.thinking', { thinking: '\nHm.' })).thinking).toBe('Hm.');
});

test('a status line is replaced by the next one and removed at the end', () => {
  const first = reduce(submitted(), 'run.step.thinking', { message: { key: 'k', text: 'Thinking…' } });
  expect(run(first).statusLine).toEqual({ key: 'k', text: 'Thinking…', agentName: undefined });
  const second = reduce(first, 'run.step.intermediate', {
    agent_display_name: 'clerk',
    message: { text: 'Looking…' },
  });
  expect(run(second).statusLine).toEqual({ key: undefined, text: 'Looking…', agentName: 'clerk' });
  expect(run(reduce(second, 'run.completed')).statusLine).toBeUndefined();
});

test('a status line is removed with its step, and when the answer begins', () => {
  const line = { message: { text: 'Looking…' } };
  const step = reduce(submitted(), 'run.step.started', { step_id: 'S', name: 'Look' });
  for (const kind of ['run.step.completed', 'run.step.failed']) {
    const ended = reduce(reduce(step, 'run.step.intermediate', line), kind, { step_id: 'S' });
    expect(run(ended).statusLine).toBeUndefined();
    const again = reduce(reduce(ended, 'run.step.intermediate', line), kind, { step_id: 'S' });
    expect(run(again).statusLine?.text).toBe('Looking…');
  }
  const looking = reduce(submitted(), 'run.step.intermediate', line);
  expect(run(reduce(looking, 'message.delta', { delta: {} })).statusLine?.text).toBe('Looking…');
  const words = { delta: { content: [{ id: '1', text: 'Found' }] } };
  const answering = reduce(looking, 'message.delta', words);
  expect(run(answering).statusLine).toBeUndefined();
  expect(run(reduce(answering, 'run.step.intermediate', line)).statusLine?.text).toBe('Looking…');
});

test('a delta changes its message and nothing else', () => {
  const before = fold(
    [],
    reduce(
      reduce(submitted(), 'message.created', { message: { id: 'A', content: 'first' } }),
      'message.completed',
    ),
  );
  const grown = reduce(before, 'message.delta', { delta: { content: [{ id: '1', text: 'a' }] } });
  const more = reduce(grown, 'message.delta', { delta: { content: [{ id: '2', text: 'b' }] } });
  const last = reduce(more, 'message.delta', { delta: { content: [{ id: '2', text: 'c' }] } });
  expect(last.messages[0]).toBe(before.messages[0]);
  expect(last.messages[1]).toBe(before.messages[1]);
  expect(last.messages[2]?.items[0]).toBe(more.messages[2]?.items[0]);
  expect(last.messages[2]?.items[1]?.text).toBe('bc');
});

test('message.created with the same text keeps the same item object', () => {
  const content = [{ id: '1', response_type: 'text', text: 'the answer' }];
  const draft = reduce(submitted(), 'message.delta', { delta: { content } });
  const created = reduce(draft, 'message.created', { message: { id: 'A', role: 'assistant', content } });
  expect(created.messages[1]?.id).toBe(draft.messages[1]?.id);
  expect(created.messages[1]?.items).toBe(draft.messages[1]?.items);
  expect(created.messages[1]).toMatchObject({ messageId: 'A', status: 'complete' });
});

test('message.created without content keeps the text that was streamed', () => {
  const draft = reduce(submitted(), 'message.delta', { delta: 'kept' });
  const created = reduce(draft, 'message.created', { message: { id: 'A', content: [] } });
  expect(created.messages[1]?.items[0]?.text).toBe('kept');
});

for (const content of [null, []]) {
  test(`a message whose words stand beside content ${JSON.stringify(content)} is read`, () => {
    const created = reduce(submitted(), 'message.created', { message: { id: 'A', content, text: 'words' } });
    expect(created.messages[1]?.items[0]?.text).toBe('words');
  });
}

const bareForm = { response_type: 'forms', id: 'f', json_schema: { type: 'object' } };
const asked = (conversation: Conversation) =>
  conversation.messages.slice(1).map(({ items }) => items.map(({ type, text }) => text || type));

for (const [kind, data] of [
  ['message.interrupt', { content: [bareForm] }],
  ['flow.slot.listen', { form: bareForm }],
  ['flow.slot.listen', { message: { id: 'Q', content: [bareForm] } }],
] as const) {
  test(`${kind} with ${Object.keys(data)[0]} takes no words away, and what the run goes on to say leaves it`, () => {
    const said = { delta: { content: [{ id: '1', response_type: 'text', text: 'One thing.' }] } };
    const whole = (id: string, text: string) => ({
      message: { id, content: [{ id: '1', response_type: 'text', text }] },
    });
    const begun = reduce(reduce(submitted(), 'message.delta', said), kind, data);
    expect(asked(begun)).toEqual([['One thing.'], ['forms']]);
    expect(asked(reduce(begun, 'message.created', whole('A', 'One thing.')))).toEqual(asked(begun));
    const named = reduce(reduce(submitted(), 'message.created', whole('A', 'One thing.')), kind, data);
    expect(asked(named)).toEqual([['One thing.'], ['forms']]);
    const onwards = reduce(named, 'message.delta', { delta: 'Meanw' });
    expect(asked(onwards)).toEqual([['One thing.'], ['forms'], ['Meanw']]);
    const last = reduce(onwards, 'message.created', whole('B', 'Meanwhile'));
    expect(asked(last)).toEqual([['One thing.'], ['forms'], ['Meanwhile']]);
    expect(run(last).needsReply).toBe(true);
  });
}

test('a question that arrives twice, bare and in a message, is shown once', () => {
  const whole = { message: { id: 'Q', content: [bareForm] } };
  const bare = reduce(submitted(), 'flow.slot.listen', { form: bareForm });
  expect(asked(reduce(bare, 'message.created', whole))).toEqual([['forms']]);
  expect(asked(reduce(bare, 'message.interrupt', { content: [bareForm] }))).toEqual([['forms']]);
  const created = reduce(submitted(), 'message.created', whole);
  expect(asked(reduce(created, 'flow.slot.listen', { form: bareForm }))).toEqual([['forms']]);
});

test('two answers with ids can stream at the same time', () => {
  let conversation = submitted();
  for (const [message_id, delta] of [
    ['A', 'a'],
    ['B', 'b'],
    ['A', 'a'],
    ['B', 'b'],
  ]) {
    conversation = reduce(conversation, 'message.delta', { message_id, delta });
  }
  expect(conversation.messages.slice(1).map(({ items }) => items[0]?.text)).toEqual(['aa', 'bb']);
});

test('the echo of the visitor’s message gives the prompt its id', () => {
  const echoed = reduce(submitted(), 'message.created', {
    message: { id: 'P', role: 'user', content: 'What about my berth?' },
  });
  expect(echoed.messages).toHaveLength(1);
  expect(echoed.messages[0]).toMatchObject({ messageId: 'P', status: 'sent' });
});

test('an item with a schema and no known type is a form; one with text and no type is text', () => {
  const content = [
    { id: 'f', json_schema: {} },
    { id: 'n', response_type: 'novel', json_schema: {} },
    { id: 't', text: 'words' },
    { id: 'c', response_type: 'card', json_schema: {} },
  ];
  const { messages } = reduce(submitted(), 'message.created', { message: { content } });
  expect(messages[1]?.items.map(({ type }) => type)).toEqual(['form', 'form', 'text', 'card']);
});

test('items in JSON text are read as items; other text stays text', () => {
  const items = [
    { id: 'o', response_type: 'option', options: ['A'] },
    { response_type: 'text', text: 'x' },
  ];
  const itemsOf = (content: unknown) =>
    reduce(submitted(), 'message.created', { message: { content } }).messages[1]?.items;
  expect(itemsOf(JSON.stringify(items))).toEqual(itemsOf(items));
  for (const text of ['[{"response_type":"text"', '[{"a":1},{"response_type":"text"}]', '[{}]', '["a"]']) {
    expect(itemsOf(text)).toMatchObject([{ type: 'text', text }]);
  }
});

test('a number in place of text and a message that is a string are read', () => {
  const number = { response_type: 'text', text: 42 };
  const whole = reduce(submitted(), 'message.created', { message: { content: [number] } });
  expect(whole.messages[1]?.items[0]?.text).toBe('42');
  const grown = reduce(submitted(), 'message.delta', { delta: { content: [number] } });
  expect(grown.messages[1]?.items[0]?.text).toBe('42');
  const words = reduce(submitted(), 'message.created', { message: 'Only words' });
  expect(words.messages[1]?.items[0]?.text).toBe('Only words');
});

test('retry_after of a failed run may be a number or a string', () => {
  for (const [told, seconds] of [
    [7, 7],
    ['7', 7],
    ['soon', undefined],
    [-1, undefined],
    [null, undefined],
  ]) {
    const failed = run(reduce(submitted(), 'run.failed', { error: 'slow down', retry_after: told }));
    expect(failed.failure?.retryAfter).toBe(seconds);
  }
});

test('a failed run whose code names a busy service is told from other failures', () => {
  for (const [code, kind] of [
    ['429', 'rate-limit'],
    ['rate_limit_exceeded', 'rate-limit'],
    ['upstream_busy', 'busy'],
    ['server_is_overloaded', 'busy'],
    ['upstream_unavailable', 'run'],
  ]) {
    const failed = run(reduce(submitted(), 'run.failed', { error: { code, message: 'no' } }));
    expect(failed.failure).toMatchObject({ kind, retryable: true });
  }
});

test('a tool response may arrive before its call', () => {
  const answered = reduce(submitted(), 'run.step.delta', {
    delta: { step_details: [{ type: 'tool_response', tool_call_id: 'c', name: 'find', content: 'B12' }] },
  });
  const called = reduce(answered, 'run.step.delta', {
    delta: {
      step_details: [
        { type: 'tool_calls', tool_calls: [{ id: 'c', name: 'find', args: { quay: 'north' } }] },
      ],
    },
  });
  expect(run(called).steps).toMatchObject([
    { id: 'c', name: 'find', status: 'done', output: 'B12', input: { quay: 'north' } },
  ]);
});

test('a step has the title of its tool, not the name of the function', () => {
  const title = 'Book a berth';
  const step_details = [{ type: 'tool_calls', tool_calls: [{ id: 'c', name: 'book_berth', title }] }];
  const called = reduce(submitted(), 'run.step.delta', { delta: { step_details } });
  const response = { type: 'tool_response', tool_call_id: 'c', name: 'book_berth', title, content: 'B2' };
  const answered = reduce(called, 'run.step.delta', { delta: { step_details: [response] } });
  for (const one of [called, answered]) expect(run(one).steps).toMatchObject([{ id: 'c', name: title }]);
});

test('the echo of a call without arguments keeps the known ones', () => {
  const called = { type: 'tool_calls', tool_calls: [{ id: 'c', name: 'tide', args: { day: 'today' } }] };
  const echo = { type: 'tool_call', name: 'tide', tool_call_id: 'c', args: {} };
  const step_details = [called, echo];
  const told = run(reduce(submitted(), 'run.step.delta', { delta: { step_details } }));
  expect(told.steps).toMatchObject([{ name: 'tide', input: { day: 'today' } }]);
});

test('a failed MCP result marks its step as failed, and the run continues', () => {
  const content = JSON.stringify({ isError: true, content: [{ type: 'text', text: 'no such berth' }] });
  const failed = reduce(submitted(), 'run.step.delta', {
    delta: { step_details: [{ type: 'tool_response', tool_call_id: 'c', content }] },
  });
  expect(run(failed).steps).toMatchObject([{ status: 'failed', error: 'no such berth' }]);
  expect(run(failed).status).toBe('streaming');
});

test('hostile tool results stay text', () => {
  for (const content of [
    '{"_meta":',
    '{"_meta":null}',
    '{"_meta":{"/widget":7}}',
    '[[[[',
    '{"content":[null,7,{}]}',
  ]) {
    const step = run(
      reduce(submitted(), 'run.step.delta', {
        delta: { step_details: [{ type: 'tool_response', tool_call_id: 'c', content }] },
      }),
    ).steps[0];
    expect(typeof step?.output).toBe('string');
  }
});

test('a stream without a terminal event is interrupted, never complete', () => {
  const conversation = endStream(reduce(submitted(), 'message.delta', { delta: 'half' }), runKey, startedAt);
  expect(run(conversation)).toMatchObject({
    status: 'interrupted',
    failure: { kind: 'interrupted', retryable: true },
  });
  expect(conversation.messages[1]?.items[0]?.text).toBe('half');
});

test('only the first terminal event counts', () => {
  const failed = reduce(reduce(reduce(submitted(), 'run.failed', { error: 'x' }), 'run.completed'), 'done');
  expect(run(failed)).toMatchObject({ status: 'failed', done: true });
  const completed = reduce(reduce(submitted(), 'run.completed'), 'run.failed', { error: 'x' });
  expect(run(completed)).toMatchObject({ status: 'completed', failure: undefined });
});

test('a service that repeats event ids loses no text', () => {
  let conversation = submitted();
  const events = ['run.started', 'message.started'].map((event) => ({ id: 'same', event, data: {} }));
  const word = { id: 'same', event: 'message.delta', data: { delta: 'ha' } };
  for (const event of [...events, word, word])
    conversation = reduceRunEvent(conversation, event, { runKey, at: 1 });
  expect(conversation.messages[1]?.items[0]?.text).toBe('haha');
});

test('an answer of 10,000 deltas keeps a bounded record of applied events', () => {
  let conversation = submitted();
  for (let index = 0; index < 10_000; index += 1) {
    conversation = reduceRunEvent(
      conversation,
      {
        id: `${startedAt + index}-0`,
        event: 'message.delta',
        data: { delta: { content: [{ id: '1', response_type: 'text', text: 'a ' }] } },
      },
      { runKey, at: startedAt },
    );
  }
  expect(conversation.messages[1]?.items[0]?.text).toHaveLength(20_000);
  expect(run(conversation).applied.recent.length).toBeLessThanOrEqual(128);
  const early = {
    id: `${startedAt + 5}-0`,
    event: 'message.delta',
    data: { delta: { content: [{ id: '1', response_type: 'text', text: 'a ' }] } },
  };
  expect(reduceRunEvent(conversation, early, { runKey, at: startedAt })).toBe(conversation);
});

test('a call among thousands, with the agent’s name, costs no more than a look at each of those before', () => {
  const steps = Array.from({ length: 2_000 }, (_none, place) => ({ ...createStep(`s${place}`, 'tool') }));
  let looks = 0;
  const counted = new Proxy(steps, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  const before = submitted();
  const grown = reduce({ ...before, runs: [{ ...run(before), steps: counted }] }, 'run.step.delta', {
    agent_display_name: 'clerk',
    delta: { step_details: [{ type: 'tool_calls', tool_calls: [{ id: 'new', name: 'look' }] }] },
  });
  expect(run(grown).steps.at(-1)).toMatchObject({ id: 'new', agentName: 'clerk' });
  expect(run(grown).steps[0]).toBe(steps[0]);
  expect(looks).toBeLessThan(10 * steps.length);
});

/** What each answer shows, oldest first. */
function answers(conversation: Conversation): readonly string[] {
  return conversation.messages.slice(1).map(({ items }) => items.map(({ text }) => text).join('|'));
}

const whole = (text: string, id?: string) => ({ message: { id, content: [{ id: '1', text }] } });
const piece = (text: string, fields = {}) => ({ ...fields, delta: { content: [{ id: '1', text }] } });

test('deltas of a second message without a start event are shown as they arrive', () => {
  const first = reduce(
    reduce(submitted(), 'message.delta', piece('One')),
    'message.created',
    whole('One, two.', 'M'),
  );
  const begun = reduce(reduce(first, 'message.delta', piece('T')), 'message.delta', piece('hree'));
  expect(answers(begun)).toEqual(['One, two.', 'Three']);
  const ended = reduce(reduce(begun, 'message.delta', piece(', four.')), 'done');
  expect(answers(ended)).toEqual(['One, two.', 'Three, four.']);
  const told = reduce(begun, 'message.created', whole('Three!', 'N'));
  expect(answers(told)).toEqual(['One, two.', 'Three!']);
});

test('deltas that arrive after their complete message, or again, are shown once', () => {
  const first = reduce(submitted(), 'message.created', whole('One, two.', 'M'));
  const again = ['On', 'e, t', 'wo.'].reduce(
    (told, text) => reduce(told, 'message.delta', piece(text)),
    first,
  );
  expect(answers(again)).toEqual(['One, two.']);
  expect(answers(reduce(again, 'message.created', whole('One, two.')))).toEqual(['One, two.']);
  expect(answers(reduce(again, 'message.created', whole('One, two.', 'M')))).toEqual(['One, two.']);
  expect(answers(reduce(first, 'message.delta', piece(' two.', { message_id: 'M' })))).toEqual(['One, two.']);
  const second = reduce(reduce(again, 'message.started'), 'message.delta', piece('One'));
  expect(answers(second)).toEqual(['One, two.', 'One']);
});

for (const [first, second] of [
  [undefined, undefined],
  [undefined, 'N'],
  ['M', undefined],
]) {
  test(`whole messages ${first} and ${second} with other words are two, with more of the same words one`, () => {
    const one = reduce(submitted(), 'message.created', whole('One', first));
    expect(answers(reduce(one, 'message.created', whole('Two', second)))).toEqual(['One', 'Two']);
    expect(answers(reduce(one, 'message.created', whole('One and a half', second)))).toEqual([
      'One and a half',
    ]);
  });
}

test('a tool result is a step and not an answer, also when it arrives as a message', () => {
  const draft = reduce(submitted(), 'message.delta', piece('Let me look.'));
  const { id, ...called } = { id: 'c1', name: 'get_tide', arguments: '{}' };
  const call = { id: 'M', content: 'Looking.', tool_calls: [{ id, function: called }] };
  const asked = reduce(draft, 'message.created', { message: call });
  expect(asked.messages[1]?.steps).toMatchObject([{ id: 'c1', name: 'get_tide', input: '{}' }]);
  const back = { id: 'N', role: 'tool', content: '{"height":2}', tool_call_id: 'c1', name: 'get_tide' };
  const told = reduce(asked, 'message.created', { message: back });
  expect(answers(told)).toEqual(['Looking.']);
  expect(run(told).steps).toMatchObject([
    { id: 'c1', name: 'get_tide', status: 'done', output: '{"height":2}' },
  ]);
  const history = mergeHistory(told, [{ ...back, id: 'O' }], { at: startedAt });
  expect(history.messages.find(({ messageId }) => messageId === 'O')?.hidden).toBe(true);
});

test('a boolean flag of a message may be a string', () => {
  const display_properties = { skip_render: 'true', is_async: 'true' };
  const message = { content: 'x', additional_properties: { display_properties } };
  const [, told] = reduce(submitted(), 'message.created', { message }).messages;
  expect(told).toMatchObject({ hidden: true, interim: true });
});

const slotForm = (state: string): Record<string, unknown> => ({
  message: { id: 'Q', content: [{ ...bareForm, id: 'f', decision: { state } }] },
});

test('a question that comes again because it has ended is closed, and the run works on', () => {
  const asked = reduce(submitted(), 'flow.slot.listen', slotForm('asked'));
  expect(run(asked)).toMatchObject({ needsReply: true, status: 'waiting' });
  const again = reduce(asked, 'message.created', slotForm('asked'));
  expect(run(again)).toMatchObject({ needsReply: true, status: 'waiting' });
  const closed = reduce(again, 'message.created', slotForm('expired'));
  expect(closed.messages.filter(({ role }) => role !== 'user')).toMatchObject([
    { messageId: 'Q', items: [{ source: { decision: { state: 'expired' } } }] },
  ]);
  expect(run(closed).needsReply).toBe(false);
  expect(run(reduce(closed, 'message.delta', { delta: { text: 'Well' } })).status).toBe('streaming');
});

test('a history closes the question of a server that has ended meanwhile', () => {
  const asked = reduce(submitted(), 'flow.slot.listen', slotForm('asked'));
  const { message } = slotForm('expired') as { message: object };
  const read = mergeHistory(asked, [{ ...message, role: 'assistant', run_id: 'R' }], { at: startedAt });
  expect(read.messages[1]?.items[0]?.source['decision']).toEqual({ state: 'expired' });
  expect(run(read)).toMatchObject({ needsReply: false, status: 'completed' });
});

const pieces: readonly (readonly [name: string, pieces: readonly string[]])[] = [
  ['an inner object that begins as the whole', ['{"', 'filter":', '{"', 'quay":1}}']],
  ['more after an inner object', ['{"filter":{"quay":1}', ',"limit":5}']],
];
for (const [name, parts] of pieces) {
  test(`arguments in pieces of JSON text: ${name}`, () => {
    const told = parts.reduce((conversation, args) => {
      const step_details = [{ type: 'tool_calls', tool_calls: [{ id: 'c', name: 'find', args }] }];
      return reduce(conversation, 'run.step.delta', { delta: { step_details } });
    }, submitted());
    expect(run(told).steps).toMatchObject([{ input: parts.join('') }]);
  });
}

test('ids beyond the exact numbers do not make later pieces of text repetitions', () => {
  const events = Array.from({ length: 250 }, (_, index) => ({
    id: String(1_765_432_109_876_543_210n + BigInt(index)),
    event: 'message.delta',
    data: piece(`${index} `),
  }));
  const told = fold(events);
  expect(told.messages.at(-1)?.items[0]?.text).toBe(events.map((_, index) => `${index} `).join(''));
});

test('values nested too deep to be read are left out, wherever they stand', () => {
  const nested = (open: string, close: string): string => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
  const lists = nested('[', ']');
  const objects = nested('{"form":', '}');
  const inResult = [`{"structuredContent":${lists}}`, `{"_meta":{"x/widget":${objects}}}`, lists];
  for (const value of [lists, objects, nested('{"message":', '}')].map((text): unknown => JSON.parse(text))) {
    for (const event of [...runEventKinds, ...unlistedRunEventKinds]) {
      for (const data of [
        value,
        { message: value },
        { error: value },
        { id: value, delta: { content: value } },
      ])
        reduce(submitted(), event, data as Record<string, unknown>);
    }
    expect(run(reduce(submitted(), 'run.failed', { error: value })).status).toBe('failed');
    const stored = [
      { id: '1', role: 'assistant', content: [{ response_type: 'form', id: 'F', json_schema: {} }] },
      {
        id: '2',
        role: 'user',
        parent_message_id: '1',
        content: [{ response_type: 'form_operation', id: value, form_operation: 'submit' }],
      },
      { id: '3', role: 'user', content: 'Two' },
    ];
    const { messages } = mergeHistory(submitted(), stored, { at: startedAt });
    expect(messages.flatMap(({ items }) => items.map(({ text }) => text))).toContain('Two');
  }
  for (const content of inResult) {
    const details = [{ type: 'tool_response', tool_call_id: 'c', name: 'look', content }];
    const { steps } = run(reduce(submitted(), 'run.step.delta', { delta: { step_details: details } }));
    expect(steps[0]?.output).toBe(content);
  }
  const text = `[{"response_type":"image","x":${lists}}]`;
  expect(
    fold([{ id: '', event: 'message.created', data: { message: { content: text } } }]).messages.at(-1)?.items,
  ).toMatchObject([{ type: 'text', text }]);
});

test('thousands of items with one id take no longer than others', () => {
  const content = Array.from({ length: 10_000 }, () => ({ id: 'a', response_type: 'image' }));
  const from = performance.now();
  const { messages } = reduce(submitted(), 'message.created', { message: { content } });
  expect(performance.now() - from).toBeLessThan(2_000);
  const ids = messages.at(-1)!.items.map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(['a', 'a-2', 'a-3']);
  expect(new Set(ids).size).toBe(content.length);
});

for (const name of ['constructor', 'toString', '__proto__']) {
  test(`an item, a state or a kind may be named ${name}`, () => {
    const ask = { response_type: 'forms', sub_type: 'tool_approval', id: name, text: 'Book?' };
    const asked = reduce(submitted(), 'message.created', { message: { id: 'm', content: [ask] } });
    const [question] = asked.messages.slice(-1);
    expect(answerTo(question!, name)).toBeUndefined();
    expect(turnsOf(asked, []).map((turn) => asksToDecide(turn, { ever: false }))).toEqual([true]);
    expect(exportTranscript(asked, 'markdown')).toContain('Not decided yet');
    const judged = recordFeedback(asked, question!.id, name, { is_positive: true });
    expect(Object.keys(judged.feedback ?? {})).toEqual([name]);
    const odd = { ...ask, decision: { state: name } };
    const decided = reduce(submitted(), 'message.created', { message: { id: 'm', content: [odd] } });
    expect(exportTranscript(decided, 'markdown')).not.toContain('function');
    expect(reduce(submitted(), name).messages).toEqual(submitted().messages);
    const result = { status: name, run_id: 'R', thread_id: 'T' };
    expect(normalizeResult(result)?.map(({ event }) => event)).toEqual(['run.started']);
  });
}
