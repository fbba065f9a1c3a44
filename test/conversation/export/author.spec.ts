import { expect, test } from '@playwright/test';
import { emptyConversation, type ConversationMessage } from '../../../src/conversation/conversation.ts';
import { createMessage } from '../../../src/conversation/factories.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';

const by = (role: string, author?: Record<string, unknown>): ConversationMessage => ({
  ...createMessage({ id: role, role, status: 'complete', runKey: undefined, createdAt: 0 }),
  additionalProperties: author && { author },
});

test('both JSON formats of a transcript say who wrote each message', () => {
  const desk = { kind: 'server', id: 'help-desk' };
  const messages = [by('user'), by('assistant'), by('assistant', desk), by('assistant', { kind: '' })];
  const conversation = { ...emptyConversation, messages };
  const lines = exportTranscript(conversation, 'jsonl').trim().split('\n');
  const whole = JSON.parse(exportTranscript(conversation, 'json')) as { messages: { author: unknown }[] };
  const authors = [{ kind: 'visitor' }, { kind: 'agent' }, desk, { kind: 'agent' }];
  expect(whole.messages.map(({ author }) => author)).toEqual(authors);
  expect(lines.map((line) => (JSON.parse(line) as { author: unknown }).author)).toEqual(authors);
});

test('Markdown names the agent as the chat does and marks it as a machine; people and servers it does not', () => {
  const messages = [
    by('user'),
    by('assistant'),
    by('assistant', { kind: 'agent', id: 'desk' }),
    by('assistant', { kind: 'person', name: 'Mara' }),
    by('assistant', { kind: 'server', id: 'help-desk' }),
    by('system'),
  ];
  const conversation = { ...emptyConversation, messages };
  const speakers = (...agent: [{ name: string; mark: string }?]): unknown[] =>
    [...exportTranscript(conversation, 'markdown', ...agent).matchAll(/^\*\*(.*?)\*\*/gm)].map(
      ([, name]) => name,
    );
  const marked = ['Visitor', 'Quay (AI)', 'Quay (AI)', 'Mara', 'Quay', 'system'];
  expect(speakers({ name: 'Quay', mark: 'AI' })).toEqual(marked);
  expect(speakers({ name: 'Quay', mark: '' })[1]).toBe('Quay');
  expect(speakers()[1]).toBe('Assistant (AI)');
});
