import { expect, test } from '@playwright/test';
import { activeBranch } from '../../src/protocol/active-branch.ts';
import type { StoredMessage } from '../../src/protocol/index.ts';

const message = (id: string, parent?: string): StoredMessage => ({
  id,
  role: id.startsWith('p') ? 'user' : 'assistant',
  content: id,
  thread_id: 't',
  ...(parent === undefined ? {} : { parent_message_id: parent }),
});
const first = [message('p1'), message('a1', 'p1')];
const next = message('p9');

for (const [name, thread, branch] of [
  ['every turn of two that ran at the same time', 'p2 p3 a2>p2 a3>p3', 'p1 a1 p2 p3 a2 a3'],
  ['both when the later one is answered first', 'p2 p3 a3>p3 a2>p2', 'p1 a1 p2 p3 a3 a2'],
  ['every message of a run with several', 'p2 a2>p2 a3>p2', 'p1 a1 p2 a2 a3'],
  ['no turn that was edited away', 'p2 a2>p2 p3>a1 a3>p3', 'p1 a1 p3 a3'],
  ['nor its answer when that is stored last', 'p2 p3>a1 a3>p3 a2>p2', 'p1 a1 p3 a3'],
  ['no first turn that was edited away', 'p2>p1 a2>p2', 'p2 a2'],
] as const) {
  test(`the branch of a message contains ${name}`, () => {
    const rest = thread.split(' ').map((entry) => {
      const [id = '', parent] = entry.split('>');
      return message(id, parent);
    });
    expect(branchOf([...first, ...rest, next])).toBe(`${branch} p9`);
  });
}

test('a decision leaves in what was said between the question and it', () => {
  const content = [{ response_type: 'form_operation', sub_type: 'tool_approval', id: 'call' }];
  const decision = { ...message('p3', 'a1'), content };
  const thread = [...first, message('p2'), message('a2', 'p2'), decision, message('a3', 'p3')];
  expect(branchOf(thread)).toBe('p1 a1 p2 a2 p3 a3');
});

test('the answer to a form leaves in what was said before it, but no earlier answer to the same form', () => {
  const answer = (id: string, form: string): StoredMessage => ({
    ...message(id, 'a1'),
    content: [{ response_type: 'form_operation', form_operation: 'submit', id: form }],
  });
  const thread = [...first, message('p2'), message('a2', 'p2'), answer('p3', 'F'), answer('p4', 'G')];
  expect(branchOf(thread)).toBe('p1 a1 p2 a2 p3 p4');
  expect(branchOf([...thread, answer('p5', 'F')])).toBe('p1 a1 p2 a2 p5');
});

test('the branch of a thread as received tolerates ids in another case and content that is no list', () => {
  const operation = { response_type: 'form_operation', sub_type: 'tool_approval', id: 'call' };
  const decision = { id: 'P3', role: 'user', content: operation, parent_message_id: 'a1' };
  const edited = { id: 'P4', role: 'user', content: 'x', parent_message_id: 'A2' };
  const answered = [...first, message('p2'), message('a2', 'P2')];
  expect(branchOf([...answered, decision])).toBe('p1 a1 p2 a2 P3');
  expect(branchOf([...answered, message('p3'), edited])).toBe('p1 a1 p2 a2 P4');
});

test('the branch of an empty thread is empty', () => {
  expect(branchOf([])).toBe('');
});

function branchOf(thread: readonly Readonly<Record<string, unknown>>[]): string {
  return activeBranch(thread)
    .map(({ id }) => id)
    .join(' ');
}
