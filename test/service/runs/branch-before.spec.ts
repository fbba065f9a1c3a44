import { expect, test } from '@playwright/test';
import type { StoredMessage } from '../../../src/protocol/index.ts';
import { branchBefore } from '../../../src/service/runs/branch-before.ts';

const message = (id: string, role: string, parent?: string): StoredMessage => ({
  id,
  role,
  content: id,
  thread_id: 't',
  ...(parent === undefined ? {} : { parent_message_id: parent }),
});
const turn = [message('p1', 'user'), message('a1', 'assistant', 'p1')];

test('the history of a message ends before it, even if later messages are stored', () => {
  const asked = message('p2', 'user');
  const later = [message('p3', 'user'), message('a3', 'assistant', 'p3')];
  expect(branchBefore([...turn, asked, ...later], asked)).toEqual(turn);
});

test('the history of an edited message leaves out the turn that it replaces, stored or not', () => {
  const edited = message('p2', 'user', 'p1');
  expect(branchBefore([...turn, edited], edited)).toEqual([]);
  expect(branchBefore(turn, edited)).toEqual([]);
});
