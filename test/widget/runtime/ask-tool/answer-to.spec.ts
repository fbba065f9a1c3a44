import { expect, test } from '@playwright/test';
import { reduceRunEvent, type Conversation } from '../../../../src/conversation/index.ts';
import { answerTo } from '../../../../src/widget/runtime/ask-tool/answer-to.ts';
import { runKey, startedAt, submitted } from '../../../conversation/fold.ts';

const question = submitted().messages[0]?.items[0]?.text ?? '';

function fold(...events: [event: string, data: object][]): Conversation {
  return events.reduce(
    (conversation, [event, data], place) =>
      reduceRunEvent(
        conversation,
        { id: `${place + 1}-0`, event, data: { run_id: 'R', thread_id: 'T', ...data } },
        { runKey, at: startedAt },
      ),
    submitted(),
  );
}
const message = (...content: object[]) => ({ message: { id: 'M', role: 'assistant', content } });

test('the answer is the text of the turn', () => {
  const said = message(
    { response_type: 'text', text: 'At six.' },
    { response_type: 'text', text: 'Bring boots.' },
  );
  expect(answerTo(fold(['message.created', said], ['run.completed', {}], ['done', {}]), question)).toEqual({
    content: [{ type: 'text', text: 'At six.\n\nBring boots.' }],
  });
});

test('an answer without text, a question back and a failure say so', () => {
  const form = message({ response_type: 'forms', id: 'f', json_schema: { type: 'object' } });
  const told = (...events: [string, object][]): unknown => answerTo(fold(...events), question);
  expect(told(['message.created', form], ['done', {}])).toMatchObject({
    content: [{ text: expect.stringContaining('no text') }],
  });
  expect(told(['message.interrupt', form])).toMatchObject({
    content: [{ text: expect.stringContaining("waits for the visitor's answer") }],
  });
  expect(told(['run.failed', { error: 'broken' }], ['done', {}])).toMatchObject({ isError: true });
});

test('a question that was never sent is an error', () => {
  expect(answerTo(fold(), 'Something else')).toMatchObject({ isError: true });
});
