import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../../src/conversation/conversation.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { createMessage } from '../../../src/conversation/factories.ts';
import { recordFeedback } from '../../../src/conversation/visitor-actions.ts';

test('a transcript has the visitor’s rating of an answer, where it was given', () => {
  const known = { status: 'complete', runKey: undefined, createdAt: 0 } as const;
  const state = { content: { 1: { feedback: { is_positive: true } } } };
  const messages = [
    { ...createMessage({ ...known, id: 'P', role: 'user' }), messageState: state },
    createMessage({ ...known, id: 'A', role: 'assistant' }),
    createMessage({ ...known, id: 'B', role: 'assistant' }),
  ];
  const first = recordFeedback({ ...emptyConversation, messages }, 'A', '1', { is_positive: true });
  const last = recordFeedback(first, 'A', '1', { is_positive: false, text: 'too long' });
  const whole = JSON.parse(exportTranscript(last, 'json')) as { messages: { feedback?: unknown }[] };
  const feedback = { is_positive: false, text: 'too long', selected_categories: [] };
  expect(whole.messages.map((message) => message.feedback)).toEqual([undefined, feedback, undefined]);
});
