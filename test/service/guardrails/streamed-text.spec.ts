import { expect, test } from '@playwright/test';
import { splitEvent } from '../../../src/service/guardrails/streamed-text.ts';

/** The pieces that a guardrail reads of an event, as name and text. */
const pieces = (event: string, data: Record<string, unknown>): string[] =>
  splitEvent({ event, data }).flatMap(({ piece }) => (piece ? [`${piece.name}: ${piece.text}`] : []));
const thinking = (data: Record<string, unknown>): string[] => pieces('run.step.thinking', data);
const detail = (given: object): Record<string, unknown> => ({ delta: { step_details: [given] } });

test('reasoning and the status line are found in every form, each once', () => {
  expect(thinking({ delta: { thinking: 'hm' } })).toEqual(['reasoning: hm']);
  expect(thinking({ delta: 'hm' })).toEqual(['reasoning: hm']);
  expect(thinking({ thinking: '', content: 'hm' })).toEqual(['reasoning: hm']);
  expect(thinking(detail({ type: 'thinking', content: 'hm' }))).toEqual(['reasoning: hm']);
  for (const message of ['looking', { text: 'looking' }, { content: 'looking' }])
    expect(thinking({ message })).toEqual(['status: looking']);
});

test('what a tool is given and what it gives is no reasoning', () => {
  const call = { name: 'search', args: {} };
  expect(thinking(detail({ type: 'tool_calls', tool_calls: [call], text: 'x' }))).toEqual([]);
  expect(thinking(detail({ type: 'tool_response', tool_call_id: 't', content: 'x' }))).toEqual([]);
});

test('an event without a growing text stays as it is', () => {
  const image = { response_type: 'image', source: 'a.png', text: 'x' };
  for (const content of [[], [image], [{ id: '1', text: '' }]]) {
    const given = { event: 'message.delta', data: { delta: { role: 'assistant', content } } };
    expect(splitEvent(given)).toEqual([{ event: given }]);
  }
});
