import { expect, test } from '@playwright/test';
import type { Conversation, ItemAnswer } from '../../src/conversation/index.ts';
import { addPrompt, beginRun, recordAnswer, reduceRunEvent } from '../../src/conversation/index.ts';
import { readItems } from '../../src/conversation/items.ts';
import { firstOpenTurn } from '../../src/conversation/open-turns.ts';
import { turnsOf } from '../../src/conversation/turns.ts';
import { runKey, startedAt, submitted } from './fold.ts';

/** An answer that asks twice. */
function asked(): Conversation {
  const content = [
    { id: 'a', response_type: 'option', options: [{ label: 'Yes', value: 'yes' }] },
    { id: 'b', response_type: 'form', json_schema: { properties: { name: { type: 'string' } } } },
  ];
  const event = { id: '1-0', event: 'message.created', data: { message: { id: 'M', content } } };
  return reduceRunEvent(submitted(), event, { runKey, at: startedAt });
}

/** The visitor answers an item, or just says something. */
function sent(
  conversation: Conversation,
  id: string,
  content: Parameters<typeof readItems>[0],
  given?: readonly [string, ItemAnswer],
): Conversation {
  const message = conversation.messages.find(({ messageId }) => messageId === 'M')!;
  const answered = given ? recordAnswer(conversation, message.id, ...given) : conversation;
  const parentMessageId = given ? 'M' : undefined;
  const prompt = { id, items: readItems(content), clientMessageId: id, parentMessageId };
  return beginRun(addPrompt(answered, prompt, startedAt + 1), id, { at: startedAt + 1 });
}

const firstOpen = (conversation: Conversation): number => firstOpenTurn(turnsOf(conversation, []));

test('a chosen option leaves the form beside it open', () => {
  const chosen = sent(asked(), 'c', 'yes', ['a', { action: 'choose', data: 'yes' }]);
  expect(turnsOf(chosen, [])).toHaveLength(2);
  expect(firstOpen(chosen)).toBe(0);
});

test('a submitted form leaves the option beside it open', () => {
  const operation = [{ response_type: 'form_operation', id: 'b', form_operation: 'submit', form_data: {} }];
  const submittedForm = sent(asked(), 'c', operation, ['b', { action: 'submit', data: {} }]);
  expect(firstOpen(submittedForm)).toBe(0);
});

test('a new message closes earlier questions', () => {
  const chosen = sent(asked(), 'c', 'yes', ['a', { action: 'choose', data: 'yes' }]);
  expect(firstOpen(sent(chosen, 'd', 'Something else'))).toBe(2);
  expect(firstOpen(sent(asked(), 'd', 'yes'))).toBe(1);
});

test('an answer that the page holds back closes its form until it is sent or withdrawn', () => {
  const prompt = addPrompt(
    asked(),
    {
      id: 'held',
      items: readItems([{ response_type: 'form_operation', id: 'b' }]),
      clientMessageId: 'held',
      parentMessageId: 'M',
    },
    startedAt + 1,
  );
  expect(firstOpen(prompt)).toBe(1);
});
