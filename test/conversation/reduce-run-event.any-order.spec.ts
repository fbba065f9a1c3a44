import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { endStream, isUnderWay, reduceRunEvent } from '../../src/conversation/index.ts';
import type { Conversation } from '../../src/conversation/index.ts';
import type { RunEvent } from '../../src/protocol/index.ts';
import { runEventKinds, unlistedRunEventKinds } from '../../src/protocol/run-event-kinds.ts';
import { fold, recordedStreams, runKey, startedAt, submitted } from './fold.ts';
import { tries } from '../tools/quick.ts';
import { expectSame } from '../tools/expect-same.ts';

const id = fc.constantFrom('1', '2', 'call-1', 'call-2', '__proto__', 'constructor', '');
const words = fc.constantFrom(
  '',
  'a',
  'Tide ',
  'B12',
  '{"content":[]}',
  '{"_meta":{"x/widget":{"options":[]}}}',
  '\ud83d',
);
const odd = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 2, arbitrary: words },
);

const item = fc.oneof(
  fc.record(
    { id, response_type: fc.constantFrom('text', 'image', 'forms', 'novel'), text: odd },
    { requiredKeys: [] },
  ),
  fc.record({ id, index: fc.nat(3), text: fc.record({ value: odd }) }, { requiredKeys: [] }),
  odd,
);
const call = fc.record(
  { id, tool_call_id: id, name: words, args: odd, function: fc.record({ name: words, arguments: words }) },
  { requiredKeys: [] },
);
const detail = fc.record(
  {
    type: fc.constantFrom('tool_calls', 'tool_response', 'tool_call', 'thinking', 'novel'),
    tool_calls: fc.oneof(fc.array(call, { maxLength: 3 }), odd),
    tool_call_id: id,
    name: words,
    content: odd,
    thinking: odd,
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    id,
    role: fc.constantFrom('assistant', 'user', 'system', 'tool', ''),
    parent_message_id: id,
    content: fc.oneof(fc.array(item, { maxLength: 3 }), odd),
    step_history: fc.oneof(fc.array(fc.record({ step_details: fc.array(detail, { maxLength: 2 }) })), odd),
    message_state: odd,
    mentions: odd,
    document_ids: odd,
    additional_properties: fc.oneof(
      fc.record(
        {
          svc_message: odd,
          display_properties: fc.record({ skip_render: fc.boolean(), is_async: fc.boolean() }),
          tool_calls: fc.oneof(fc.array(call, { maxLength: 2 }), odd),
          tool_call_id: id,
          tool_name: words,
          svc_connection_status: odd,
          client_message_id: fc.constantFrom('turn', 'other'),
        },
        { requiredKeys: [] },
      ),
      odd,
    ),
    key: words,
    text: odd,
  },
  { requiredKeys: [] },
);
const data = fc.record(
  {
    run_id: id,
    thread_id: id,
    message_id: id,
    step_id: id,
    message: fc.oneof(message, odd),
    delta: fc.oneof(
      fc.record(
        {
          content: fc.oneof(fc.array(item, { maxLength: 3 }), odd),
          step_details: fc.oneof(fc.array(detail, { maxLength: 3 }), odd),
          text: odd,
        },
        { requiredKeys: [] },
      ),
      odd,
    ),
    content: fc.oneof(fc.array(item, { maxLength: 2 }), odd),
    choices: odd,
    text: odd,
    thinking: odd,
    plan: fc.oneof(
      fc.array(fc.oneof(odd, fc.record({ id, title: words, status: words })), { maxLength: 4 }),
      odd,
    ),
    summary: odd,
    error: odd,
    detail: odd,
    reason: odd,
    name: words,
    context: odd,
    options: odd,
    json_schema: odd,
    final: fc.boolean(),
  },
  { requiredKeys: [] },
);
const kind = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...runEventKinds, ...unlistedRunEventKinds) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'toString', 'novel.kind') },
);

/** Events with ids of their own, in an order that has nothing to do with their ids. */
const events: fc.Arbitrary<RunEvent[]> = fc
  .array(fc.record({ event: kind, data }), { maxLength: 25 })
  .chain((list) =>
    fc
      .shuffledSubarray(
        list.map((_, index) => `${startedAt + index * 40}-0`),
        { minLength: list.length },
      )
      .map((ids) =>
        list.map(({ event, data: fields }, index) => ({ id: ids[index] ?? '', event, data: fields })),
      ),
  );

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
  return value;
}

function foldFrozen(list: readonly RunEvent[], from: Conversation = freeze(submitted())): Conversation {
  return list.reduce(
    (conversation, event, index) =>
      freeze(reduceRunEvent(conversation, freeze(event), { runKey, at: startedAt + index })),
    from,
  );
}

const runs = { numRuns: Number(process.env['RUNS'] ?? tries(250)) };

test('any events in any order neither throw nor change their input', () => {
  fc.assert(
    fc.property(events, (list) => {
      const conversation = foldFrozen(list);
      freeze(endStream(conversation, runKey, startedAt + 99));
      expectSame(conversation.runs.length, 1);
    }),
    runs,
  );
});

test('a repeated event changes nothing', () => {
  fc.assert(
    fc.property(events, (list) => {
      const conversation = foldFrozen(list);
      for (const event of list) {
        const after = reduceRunEvent(conversation, event, { runKey, at: startedAt + 999 });
        if (after !== conversation) expect(after).toBe(conversation);
      }
    }),
    runs,
  );
});

test('ids of messages, items and steps are always unique', () => {
  fc.assert(
    fc.property(events, (list) => {
      const conversation = foldFrozen(list);
      const unique = (ids: readonly string[]): void => {
        expectSame(new Set(ids).size, ids.length);
      };
      unique(conversation.messages.map((entry) => entry.id));
      for (const entry of conversation.messages) {
        unique(entry.items.map((part) => part.id));
        unique(entry.steps.map((step) => step.id));
      }
      for (const run of conversation.runs) {
        unique(run.steps.map((step) => step.id));
        unique(run.plan.map((step) => step.id));
      }
    }),
    runs,
  );
});

test('an ended turn has no open message or step', () => {
  fc.assert(
    fc.property(events, (list) => {
      const done: RunEvent = { id: `${startedAt + 99_999}-0`, event: 'done', data: {} };
      const conversation = foldFrozen([...list, done]);
      expectSame(
        conversation.runs.filter((run) => isUnderWay(run) || run.endedAt === undefined),
        [],
      );
      expectSame(
        conversation.messages.filter((entry) => entry.status === 'streaming'),
        [],
      );
      expectSame(
        conversation.runs.flatMap((run) => run.steps).filter((step) => step.status === 'active'),
        [],
      );
    }),
    runs,
  );
});

test('events of an unknown run and of unknown kinds change nothing', () => {
  const conversation = freeze(submitted());
  const event = { id: '', event: 'weather.changed', data: { wind: 7 } };
  expect(reduceRunEvent(conversation, event, { runKey, at: 1 })).toBe(conversation);
  const known = { id: '1-0', event: 'run.started', data: { run_id: 'R' } };
  expect(reduceRunEvent(conversation, known, { runKey: 'nobody', at: 1 })).toBe(conversation);
});

test('every recorded stream gives the same conversation when each event is repeated', () => {
  for (const { name, events: recorded } of recordedStreams()) {
    const twice = recorded.flatMap((event) => [event, event]);
    const strip = (conversation: Conversation): unknown =>
      conversation.messages.map((message) => ({ ...message, createdAt: 0 }));
    expect(strip(fold(twice)), name).toEqual(strip(fold(recorded)));
  }
});
