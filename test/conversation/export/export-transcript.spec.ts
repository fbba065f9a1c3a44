import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../../src/conversation/conversation.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { mergeHistory } from '../../../src/conversation/merge-history.ts';

test('an answer follows its question, also when the service stored another turn in between', () => {
  const stored = [
    { id: '1', role: 'user', run_id: 'R1', content: [{ response_type: 'text', text: 'First?' }] },
    { id: '2', role: 'user', run_id: 'R2', content: [{ response_type: 'text', text: 'Second?' }] },
    { id: '3', role: 'assistant', run_id: 'R1', content: [{ response_type: 'text', text: 'First.' }] },
    { id: '4', role: 'assistant', run_id: 'R2', content: [{ response_type: 'text', text: 'Second.' }] },
  ];
  const conversation = mergeHistory(emptyConversation, stored, { at: 0 });
  const { messages } = JSON.parse(exportTranscript(conversation, 'json')) as { messages: { text: string }[] };
  expect(messages.map(({ text }) => text)).toEqual(['First?', 'First.', 'Second?', 'Second.']);
  expect(exportTranscript(conversation, 'markdown')).toMatch(/First\?.*First\..*Second\?.*Second\./s);
});
