import { expect, test } from '@playwright/test';
import { emptyConversation, type Conversation, type Run } from '../../../src/conversation/conversation.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { createRun } from '../../../src/conversation/factories.ts';
import { mergeHistory } from '../../../src/conversation/merge-history.ts';
import { reduceRunEvent } from '../../../src/conversation/reduce-run-event.ts';
import { endStream, failSubmission, stopRun } from '../../../src/conversation/stream-actions.ts';
import { addPrompt, beginRun } from '../../../src/conversation/visitor-actions.ts';

interface Exported {
  readonly role: string;
  readonly text: string;
  readonly author: unknown;
  readonly run_id?: string;
  readonly status?: string;
  readonly failure?: unknown;
}

const started = { event: 'run.started', data: { run_id: 'R1', agent_id: 'desk' } };
const delta = {
  event: 'message.delta',
  data: { delta: { content: [{ id: '1', text: 'Half an' }] } },
};
const failed = { event: 'run.failed', data: { error: { message: 'upstream is away' } } };

function asked(...events: readonly { event: string; data: object }[]): Conversation {
  const prompt = {
    id: 'P',
    items: [{ id: '1', type: 'text', text: 'When?', source: { text: 'When?' } }],
  };
  const sent = beginRun(addPrompt(emptyConversation, prompt, 0), 'P', { at: 0 });
  return events.reduce(
    (before, { event, data }, place) =>
      reduceRunEvent(before, { id: `1-${place}`, event, data: { ...data } }, { runKey: 'P', at: 5 }),
    sent,
  );
}

function exported(conversation: Conversation): readonly Exported[] {
  const { messages } = JSON.parse(exportTranscript(conversation, 'json')) as {
    messages: Exported[];
  };
  const lines = exportTranscript(conversation, 'jsonl').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(messages);
  return messages;
}

test('a failed answer is exported as failed, with its run, agent and reason', () => {
  const conversation = asked(started, delta, failed);
  expect(exported(conversation)).toMatchObject([
    { role: 'user', run_id: 'R1', status: 'sent' },
    {
      text: 'Half an',
      author: { kind: 'agent', id: 'desk' },
      run_id: 'R1',
      status: 'failed',
      failure: { kind: 'run', reason: 'upstream is away' },
    },
  ]);
  expect(exportTranscript(conversation, 'markdown')).toContain(
    'Half an\n\n[Failed: this answer is not complete]\n',
  );
});

test('what the author of an agent said to the visitor about a failure is in the transcript', () => {
  const error = { code: 'closed', message: 'We are closed.', audience: 'visitor' };
  const conversation = asked(started, delta, { ...failed, data: { ...failed.data, error } });
  expect(exportTranscript(conversation, 'markdown')).toContain(
    'Half an\n\nWe are closed.\n\n[Failed: this answer is not complete]\n',
  );
});

test('a stopped answer, one under way and one that broke off are no complete ones', () => {
  const live = asked(started, delta);
  const ends: [Conversation, string, string][] = [
    [stopRun(live, 'P', 9), 'cancelled', '[Stopped: this answer is not complete]'],
    [live, 'streaming', '[This answer is not complete yet]'],
    [endStream(live, 'P', 9), 'interrupted', '[Connection lost: this answer is not complete]'],
    [
      asked(started, delta, { event: 'run.expired', data: {} }),
      'expired',
      '[Timed out: this answer is not complete]',
    ],
  ];
  for (const [conversation, status, remark] of ends) {
    expect(exported(conversation).at(-1)).toMatchObject({ text: 'Half an', status });
    expect(exportTranscript(conversation, 'markdown')).toContain(`Half an\n\n${remark}\n`);
  }
});

test('a complete answer has its status, and no remark', () => {
  const conversation = asked(started, delta, { event: 'run.completed', data: {} });
  expect(exported(conversation).map(({ status }) => status)).toEqual(['sent', 'completed']);
  expect(exportTranscript(conversation, 'markdown')).not.toContain('[');
});

test('a run that ended without any answer is exported with how it ended', () => {
  const conversation = asked(started, failed);
  expect(exported(conversation)).toMatchObject([
    { text: 'When?', status: 'sent' },
    {
      role: 'assistant',
      text: '',
      run_id: 'R1',
      status: 'failed',
      failure: { reason: 'upstream is away' },
    },
  ]);
  expect(exportTranscript(conversation, 'markdown')).toMatch(/\[Failed: this answer is not complete\]\n$/);
});

test('a message that was not sent says so, and gets no answer', () => {
  const failure = {
    kind: 'network',
    reason: 'no route',
    retryable: true,
    retryAfter: undefined,
    requestId: 'X7',
  } as const;
  const conversation = failSubmission(asked(), 'P', { failure, at: 9 });
  expect(exported(conversation)).toMatchObject([
    { status: 'rejected', failure: { kind: 'network', reason: 'no route', request_id: 'X7' } },
  ]);
  expect(exportTranscript(conversation, 'markdown')).toContain('When?\n\n[Not sent]\n');
});

test('an answer that the service stored as partial is no complete one', () => {
  const stored = (run_status: string): unknown[] => [
    { id: '1', role: 'user', run_id: 'R1', content: [{ text: 'When?' }] },
    {
      id: '2',
      role: 'assistant',
      run_id: 'R1',
      content: [{ text: 'Half' }],
      message_state: { run_status, partial: true },
    },
  ];
  for (const status of ['failed', 'cancelled', 'expired']) {
    const conversation = mergeHistory(emptyConversation, stored(status), { at: 0 });
    expect(exported(conversation).at(-1)).toMatchObject({ run_id: 'R1', status });
    expect(conversation.runs[0]?.failure?.kind).toBe(status === 'cancelled' ? undefined : 'run');
  }
});

test('a partial answer of the history has the words of its failure for the visitor', () => {
  const error = { code: 'closed', message: 'The office is closed. Call 555 0100.', audience: 'visitor' };
  const message_state = { run_status: 'failed', partial: true, reason: 'closed', error };
  const read = mergeHistory(
    emptyConversation,
    [
      { id: '1', role: 'user', run_id: 'R1', content: [{ text: 'When?' }] },
      { id: '2', role: 'assistant', run_id: 'R1', content: [{ text: 'Half' }], message_state },
    ],
    { at: 0 },
  );
  expect(read.runs[0]?.failure).toMatchObject({ reason: error.message, forVisitor: true, retryable: true });
});

test('a run of the history that may still be active is not exported as lost', () => {
  const run: Run = { ...createRun({ id: 'P', startedAt: 0 }), status: 'interrupted' };
  const conversation = { ...asked(), runs: [run] };
  expect(exported(conversation)).toHaveLength(1);
});
