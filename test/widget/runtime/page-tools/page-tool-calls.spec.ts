import { expect, test } from '@playwright/test';
import {
  addPrompt,
  beginRun,
  failSubmission,
  findMessage,
  reduceRunEvent,
  type Conversation,
  type RunFailure,
} from '../../../../src/conversation/index.ts';
import { readItems } from '../../../../src/conversation/items.ts';
import {
  isExpired,
  isOver,
  pageToolCalls,
  refusedResults,
  withdrawResult,
} from '../../../../src/widget/runtime/page-tools/page-tool-calls.ts';
import { runKey, startedAt, submitted } from '../../../conversation/fold.ts';

function asked(change: object = {}): Conversation {
  const call = {
    type: 'page_tool_call',
    id: 'call-1',
    name: 'highlight',
    args: { berth: 'C 14' },
    ...change,
  };
  const content = [{ response_type: 'user_defined', id: 'item', user_defined: call }];
  const event = { id: '1-0', event: 'message.interrupt', data: { message: { id: 'M', content } } };
  return reduceRunEvent(submitted(), event, { runKey, at: startedAt });
}

function answered(outcome: object): Conversation {
  const result = { type: 'page_tool_result', id: 'call-1', ...outcome };
  const items = readItems([{ response_type: 'user_defined', user_defined: result }]);
  const prompt = { id: 'r', items, clientMessageId: 'r', hidden: true };
  return beginRun(addPrompt(asked(), prompt, startedAt + 1), 'r', { at: startedAt + 1 });
}

const failureOf = (change: Partial<RunFailure>): RunFailure => ({
  kind: 'invalid',
  reason: '',
  retryable: false,
  retryAfter: undefined,
  ...change,
});

const only = (conversation: Conversation) => {
  const [call] = pageToolCalls(conversation);
  if (!call) throw new Error('no call');
  return call;
};

test('a call is open until its result is here', () => {
  expect(only(asked())).toMatchObject({ name: 'highlight', title: 'highlight', args: { berth: 'C 14' } });
  expect(isOver(only(asked()))).toBe(false);
  expect(only(answered({ content: 'lit' })).result).toEqual({ content: 'lit', error: undefined });
  expect(isOver(only(answered({ error: 'gone' })))).toBe(true);
});

test('a call has a title for people, and an end', () => {
  expect(only(asked({ title: 'Highlight a berth' })).title).toBe('Highlight a berth');
  expect(isExpired(only(asked({ expires_at: '2020-01-01T00:00:00Z' })))).toBe(true);
  expect(isExpired(only(asked({ expires_at: '2999-01-01T00:00:00Z' })))).toBe(false);
  expect(isExpired(only(asked({ expires_at: 'soon' })))).toBe(false);
});

for (const status of [409, 404, 422]) {
  test(`a result that is refused with ${status} leaves no turn, and is not sent again`, () => {
    const failed = failSubmission(answered({ content: 'lit' }), 'r', {
      failure: failureOf({ status }),
      at: startedAt + 2,
    });
    const [refused] = refusedResults(failed);
    const after = withdrawResult(failed, refused!);
    expect(findMessage(after, 'r')).toBeUndefined();
    expect(refusedResults(after)).toHaveLength(0);
    expect(only(after)).toMatchObject({ isRefused: true, result: undefined });
    expect(isOver(only(after))).toBe(true);
  });
}

test('a result that did not reach the service is kept', () => {
  const failed = failSubmission(answered({ content: 'lit' }), 'r', {
    failure: failureOf({ retryable: true }),
    at: startedAt + 2,
  });
  expect(refusedResults(failed)).toHaveLength(0);
});
