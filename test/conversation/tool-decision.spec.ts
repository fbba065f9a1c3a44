import { expect, test } from '@playwright/test';
import {
  addPrompt,
  beginRun,
  failSubmission,
  findMessage,
  reduceRunEvent,
  type Conversation,
  type RunFailure,
} from '../../src/conversation/index.ts';
import { readItems } from '../../src/conversation/items.ts';
import { mergeHistory } from '../../src/conversation/merge-history.ts';
import {
  readDecision,
  refusedDecisions,
  withdrawDecision,
  type DecisionView,
} from '../../src/conversation/tool-decision.ts';
import { turnsOf } from '../../src/conversation/turns.ts';
import { runKey, startedAt, submitted } from './fold.ts';

const approval = {
  response_type: 'forms',
  sub_type: 'tool_approval',
  id: 'call-1',
  name: 'Book a berth',
  tool: { server: 'Berths' },
  form_data: { boat: 'Marigold' },
};
const operation = {
  response_type: 'form_operation',
  sub_type: 'tool_approval',
  id: 'call-1',
  form_operation: 'submit',
  form_data: { boat: 'Marigold' },
};

function asked(change: Readonly<Record<string, unknown>> = {}): Conversation {
  const content = [{ ...approval, ...change }];
  const event = { id: '1-0', event: 'message.interrupt', data: { message: { id: 'M', content } } };
  return reduceRunEvent(submitted(), event, { runKey, at: startedAt });
}

function decide(
  conversation: Conversation,
  id = 'd',
  change: Readonly<Record<string, unknown>> = {},
): Conversation {
  const items = readItems([{ ...operation, ...change }]);
  const prompt = { id, items, clientMessageId: id, parentMessageId: 'M', hidden: true };
  return beginRun(addPrompt(conversation, prompt, startedAt + 1), id, { at: startedAt + 1 });
}

function told(
  conversation: Conversation,
  event: string,
  data: Readonly<Record<string, unknown>>,
  key = 'd',
): Conversation {
  const id = `2-${conversation.runs.length}-${Math.random()}`;
  return reduceRunEvent(conversation, { id, event, data }, { runKey: key, at: startedAt + 2 });
}

function step(detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { run_id: 'R2', delta: { role: 'assistant', step_details: [detail] } };
}
const called = step({ type: 'tool_calls', tool_calls: [{ id: 'call-1', name: 'book', args: {} }] });

function view(conversation: Conversation): DecisionView {
  const message = conversation.messages.find(({ messageId }) => messageId === 'M')!;
  return readDecision(conversation, message, message.items[0]!);
}

const refused = (status: number): RunFailure => ({
  kind: 'invalid',
  reason: '',
  retryable: false,
  retryAfter: undefined,
  status,
});

test('a decision is open until the visitor decides, then on its way, then approved', () => {
  expect(view(asked()).state).toBe('asked');
  const sending = decide(asked());
  expect(view(sending).state).toBe('sending');
  expect(view(told(sending, 'run.started', { run_id: 'R2' })).state).toBe('approved');
  expect(
    view(
      told(decide(asked(), 'd', { form_operation: 'cancel', reason: 'No' }), 'run.started', { run_id: 'R2' }),
    ),
  ).toMatchObject({
    state: 'declined',
    reason: 'No',
  });
});

test('the call is followed to its end by its id', () => {
  const running = told(told(decide(asked()), 'run.started', { run_id: 'R2' }), 'run.step.delta', called);
  expect(view(running).state).toBe('running');
  const response = { type: 'tool_response', tool_call_id: 'call-1', name: 'book', content: 'Done' };
  expect(view(told(running, 'run.step.delta', step(response))).state).toBe('done');
  const failed = { ...response, is_error: true, content: 'No berth' };
  expect(view(told(running, 'run.step.delta', step(failed)))).toMatchObject({
    state: 'failed',
    error: 'No berth',
  });
  const lost = told(running, 'run.step.delta', step({ ...failed, outcome: 'unknown' }));
  expect(view(told(lost, 'run.step.failed', { step_id: 's', error: 'No berth' })).state).toBe('unknown');
  expect(view(told(running, 'run.failed', { run_id: 'R2', error: 'died' })).state).toBe('unknown');
});

test('a call that the asking run shows is not taken for running', () => {
  const shown = told(submitted(), 'run.step.delta', called, runKey);
  const event = {
    id: '9-0',
    event: 'message.interrupt',
    data: { message: { id: 'M', content: [approval] } },
  };
  expect(view(reduceRunEvent(shown, event, { runKey, at: startedAt })).state).toBe('asked');
});

test('the first of two decisions is in force', () => {
  const first = told(decide(asked()), 'run.started', { run_id: 'R2' });
  const second = told(decide(first, 'e', { form_operation: 'cancel' }), 'run.started', { run_id: 'R3' }, 'e');
  expect(view(second).state).toBe('approved');
});

test('what the service says was decided stands above what was tried here', () => {
  const declined = asked({ decision: { state: 'declined', reason: 'Elsewhere' } });
  expect(view(decide(declined))).toMatchObject({ state: 'declined', reason: 'Elsewhere' });
  expect(view(asked({ decision: { state: 'declined', reason: 'expired' } })).state).toBe('expired');
});

test('changed arguments are the ones in force', () => {
  const changed = told(decide(asked(), 'd', { form_data: { boat: 'Albatros' } }), 'run.started', {
    run_id: 'R2',
  });
  expect(view(changed)).toMatchObject({ data: { boat: 'Albatros' }, isChanged: true });
  expect(view(asked())).toMatchObject({ data: { boat: 'Marigold' }, isChanged: false });
});

for (const [status, refusal, state] of [
  [409, undefined, 'settled'],
  [422, 'arguments', 'asked'],
  [403, 'forbidden', 'asked'],
  [404, undefined, 'closed'],
] as const) {
  test(`a decision that is refused with ${status} leaves no turn, and its question says so`, () => {
    const failed = failSubmission(decide(asked()), 'd', { failure: refused(status), at: startedAt + 2 });
    expect(view(failed).state).toBe('sending'); // until it is taken back
    const [message] = refusedDecisions(failed);
    const after = withdrawDecision(failed, message!);
    expect(findMessage(after, 'd')).toBeUndefined();
    expect(turnsOf(after, [])).toHaveLength(1);
    expect(refusedDecisions(after)).toHaveLength(0);
    expect(view(after)).toMatchObject({ state, refusal });
    expect(after.runs[0]?.needsReply).toBe(state === 'asked');
    expect(view(decide(after, 'e')).state).toBe('sending');
  });
}

test('an answer that is too late for the question of a server leaves no turn', () => {
  const question = { sub_type: undefined, json_schema: {}, decision: { state: 'asked' } };
  const answered = (status: number, change: object = question): Conversation =>
    failSubmission(decide(asked({ ...change }), 'd', { sub_type: undefined }), 'd', {
      failure: refused(status),
      at: startedAt + 2,
    });
  const late = answered(409);
  const [message] = refusedDecisions(late);
  expect(turnsOf(withdrawDecision(late, message!), [])).toHaveLength(1);
  // one that does not fit can be corrected, and the answer to another form is told as any message
  expect(refusedDecisions(answered(422))).toEqual([]);
  expect(refusedDecisions(answered(409, { ...question, decision: undefined }))).toEqual([]);
});

test('a decision that did not reach the service is not given up', () => {
  const failure = { ...refused(0), kind: 'network', retryable: true, status: undefined } as const;
  const failed = failSubmission(decide(asked()), 'd', { failure, at: startedAt + 2 });
  expect(refusedDecisions(failed)).toHaveLength(0);
  expect(view(failed).state).toBe('undelivered');
});

const stored = [
  { id: 'P', role: 'user', run_id: 'R', content: 'Book it' },
  { id: 'M', role: 'assistant', run_id: 'R', parent_message_id: 'P', content: [approval] },
  { id: 'P2', role: 'user', run_id: 'R2', content: 'And the tide?' },
  { id: 'A2', role: 'assistant', run_id: 'R2', parent_message_id: 'P2', content: 'Rising.' },
  {
    id: 'P3',
    role: 'user',
    run_id: 'R3',
    parent_message_id: 'M',
    content: [operation],
    additional_properties: { display_properties: { skip_render: true } },
  },
  { id: 'A3', role: 'assistant', run_id: 'R3', parent_message_id: 'P3', content: 'Booked.' },
];

test('a history shows the decision as it was taken, and what was said in between', () => {
  const nothing = { threadId: 'T', messages: [], runs: [], context: undefined };
  const read = mergeHistory(nothing, stored, { at: startedAt });
  expect(view(read).state).toBe('approved');
  const said = turnsOf(read, []).flatMap(({ answers }) => answers.map(({ items }) => items[0]?.text));
  expect(said).toEqual(['', 'Rising.', 'Booked.']);
});

test('a history brings a known question up to date', () => {
  const nothing = { threadId: 'T', messages: [], runs: [], context: undefined };
  const open = mergeHistory(nothing, stored.slice(0, 2), { at: startedAt });
  expect(view(open).state).toBe('asked');
  const decided = { ...approval, decision: { state: 'done' } };
  const next = mergeHistory(open, [stored[0], { ...stored[1], content: [decided] }], { at: startedAt });
  expect(view(next).state).toBe('done');
});

for (const [what, decision, isOpen] of [
  ['it is asked', { state: 'asked' }, true],
  ['it has expired', { state: 'declined', reason: 'expired' }, false],
  ['its time is up', { expires_at: new Date(startedAt - 1).toISOString() }, false],
  ['its time, a number, is up', { expires_at: startedAt - 1 }, false],
  ['there is time', { expires_at: new Date(startedAt + 1).toISOString() }, true],
  ['it was taken elsewhere', { state: 'approved' }, false],
] as const) {
  test(`a run that was read here waits as long as its question is open: ${what}`, () => {
    const read = (item: object): Conversation =>
      mergeHistory(asked(), [{ id: 'M', role: 'assistant', run_id: 'R', content: [item] }], {
        at: startedAt,
      });
    expect(asked().runs).toMatchObject([{ needsReply: true, status: 'waiting' }]);
    const { runs } = read({ ...approval, decision });
    expect(runs).toMatchObject([{ needsReply: isOpen, status: isOpen ? 'waiting' : 'completed' }]);
  });
}

for (const [what, decision, isOpen] of [
  ['nothing was decided', undefined, true],
  ['it is asked', { state: 'asked' }, true],
  ['it has expired', { state: 'declined', reason: 'expired' }, false],
  ['its time is up', { expires_at: new Date(startedAt - 1).toISOString() }, false],
  ['its time, a number, is up', { expires_at: startedAt - 1 }, false],
  ['there is time', { expires_at: new Date(startedAt + 1).toISOString() }, true],
] as const) {
  test(`a question that a history brings waits for the visitor as long as it is open: ${what}`, () => {
    const nothing = { threadId: 'T', messages: [], runs: [], context: undefined };
    const asked = { ...stored[1], content: [{ ...approval, ...(decision && { decision }) }] };
    const { runs } = mergeHistory(nothing, [stored[0], asked], { at: startedAt });
    expect(runs).toMatchObject([{ needsReply: isOpen, status: isOpen ? 'waiting' : 'completed' }]);
    const later = mergeHistory(nothing, [stored[0], asked, ...stored.slice(2)], { at: startedAt });
    expect(later.runs.filter(({ needsReply }) => needsReply)).toEqual([]);
  });
}
