import { expect, test } from '@playwright/test';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import {
  applyPatch,
  diffConversations,
  hasMoreThan,
  type ConversationPatch,
} from '../../../src/widget/tabs/conversation-diff.ts';
import { begin, delta, finish, Harness } from '../../session/harness.ts';

const leading = { isLeading: true };

/** What a tab has while it reads an answer, and at its end. */
async function readTwice(): Promise<{ readonly partial: Conversation; readonly whole: Conversation }> {
  const harness = new Harness();
  const { stream, turn } = await harness.say('Hello');
  delta(begin(stream), 'Half');
  await expect.poll(() => harness.answer).toBe('Half');
  const partial = harness.session.conversation;
  finish(delta(stream, ' and half'), 'Half and half');
  await turn;
  return { partial, whole: harness.session.conversation };
}

/** The same as read by another tab: the answer has another local id there. */
function asReadElsewhere(conversation: Conversation): Conversation {
  const messages = conversation.messages.map((message) =>
    message.role === 'user' ? message : { ...message, id: `${message.id}-elsewhere` },
  );
  return { ...conversation, messages };
}

/** A new chat, in which the same was said. */
function asOther(conversation: Conversation): Conversation {
  const messages = conversation.messages.map((message) => ({
    ...message,
    id: `${message.id}-other`,
    runKey: 'other',
  }));
  return { ...conversation, messages, runs: conversation.runs.map((run) => ({ ...run, id: 'other' })) };
}

function texts({ messages }: Conversation): string[] {
  return messages.map(({ items }) => items.map(({ text }) => text).join(''));
}

test('the end of a run stays, whatever a tab sends that has read only half of it', async () => {
  const { partial, whole } = await readTwice();
  for (const theirs of [partial, asReadElsewhere(partial)]) {
    const patched = applyPatch(whole, diffConversations(undefined, theirs, leading)!);
    expect(texts(patched)).toEqual(['Hello', 'Half and half']);
    expect(patched.runs.map(({ status }) => status)).toEqual(['completed']);
  }
});

test('a tab knows more than another one that has not seen the end of a run', async () => {
  const { partial, whole } = await readTwice();
  const sent = (conversation: Conversation): ConversationPatch =>
    diffConversations(undefined, conversation, leading)!;
  expect(hasMoreThan(whole, sent(partial))).toBe(true);
  expect(hasMoreThan(whole, sent(whole))).toBe(false);
  expect(hasMoreThan(partial, sent(whole))).toBe(false);
  expect(hasMoreThan(whole, sent({ ...whole, messages: [] }))).toBe(true);
});

test('the end of a run replaces half of it', async () => {
  const { partial, whole } = await readTwice();
  const patched = applyPatch(asReadElsewhere(partial), diffConversations(undefined, whole, leading)!);
  expect(texts(patched)).toEqual(['Hello', 'Half and half']);
  expect(patched.runs.map(({ status }) => status)).toEqual(['completed']);
});

test('a removed run takes its answer along, which has another local id here', async () => {
  const { whole } = await readTwice();
  const emptied = { ...whole, messages: [], runs: [] };
  const patch = diffConversations(whole, emptied, leading)!;
  expect(texts(applyPatch(asReadElsewhere(whole), patch))).toEqual([]);
  expect(texts(applyPatch(asReadElsewhere(whole), patch, new Set(['of another run'])))).toEqual([]);
});

test('a tab that does not read a run sends no changes of its messages', async () => {
  const { partial, whole } = await readTwice();
  // the history has told this tab the time of each message
  const messages = partial.messages.map((message) => ({ ...message, createdAt: 1 }));
  const patch = diffConversations(partial, { ...partial, messages }, { isLeading: false })!;
  const patched = applyPatch(whole, patch);
  expect(texts(patched)).toEqual(['Hello', 'Half and half']);
  expect(patched.messages.map(({ status }) => status)).toEqual(['sent', 'complete']);
});

test('the id of the thread stays when a tab does not know it yet, and goes with a new chat', async () => {
  const { partial, whole } = await readTwice();
  const patch = diffConversations(undefined, { ...partial, threadId: undefined }, leading)!;
  expect(whole.threadId).toBeDefined();
  expect(applyPatch(whole, patch).threadId).toBe(whole.threadId);
  const emptied = { ...whole, threadId: undefined, messages: [], runs: [] };
  expect(applyPatch(whole, diffConversations(whole, emptied, leading)!).threadId).toBeUndefined();
  const other = { ...asOther(whole), threadId: undefined };
  expect(applyPatch(whole, diffConversations(whole, other, leading)!).threadId).toBeUndefined();
});

test.describe('a run that only one tab has read', () => {
  /** Turns of one thread, said at these times. */
  async function conversationOf(turns: Readonly<Record<string, number>>): Promise<Conversation> {
    const { whole } = await readTwice();
    const each = Object.entries(turns).map(([name, at]) => ({
      messages: whole.messages.map((message) => {
        const id = message.role === 'user' ? name : `${name}-0`;
        return { ...message, id, messageId: `stored ${id}`, runKey: name, createdAt: at };
      }),
      runs: whole.runs.map((run) => ({ ...run, id: name, startedAt: at })),
    }));
    return {
      ...whole,
      messages: each.flatMap(({ messages }) => messages),
      runs: each.flatMap(({ runs }) => runs),
    };
  }

  const turnsOf = ({ messages, runs }: Conversation): unknown => ({
    messages: messages.map(({ id }) => id),
    runs: runs.map(({ id }) => id),
  });
  const inOrder = {
    messages: ['alone', 'alone-0', 'second', 'second-0', 'first', 'first-0'],
    runs: ['alone', 'second', 'first'],
  };

  test('stays where it was said, by the clock that both tabs have', async () => {
    const theirs = await conversationOf({ alone: 1000, first: 3000 });
    const patch = diffConversations(undefined, theirs, leading)!;
    const here = await conversationOf({ alone: 1000, second: 2000 });
    expect(turnsOf(applyPatch(here, patch, new Set(['second'])))).toEqual(inOrder);
  });

  test('never goes before what preceded it here, though its time is that of a service whose clock is behind', async () => {
    const theirs = await conversationOf({ alone: 11_000, first: 13_000 });
    const patch = diffConversations(undefined, theirs, leading)!;
    const here = await conversationOf({ alone: 1000, second: 2000 });
    expect(turnsOf(applyPatch(here, patch, new Set(['second'])))).toEqual(inOrder);
  });

  test('stays between what was said in another tab that does not know it', async () => {
    const here = await conversationOf({ alone: 1000, first: 3000 });
    const theirs = await conversationOf({ second: 2000 });
    const patch = diffConversations(await conversationOf({}), theirs, leading)!;
    expect(turnsOf(applyPatch(here, patch))).toEqual(inOrder);
  });

  test('stays before a message that waits', async () => {
    const here = await conversationOf({ first: 1000, second: 2000 });
    const waiting = here.messages.map((message) =>
      message.id === 'second' ? { ...message, status: 'queued' as const } : message,
    );
    const before = await conversationOf({ first: 1000 });
    const after = await conversationOf({ first: 1000, third: 3000 });
    const patch = diffConversations(before, after, leading)!;
    const messages = waiting.filter(({ id }) => id !== 'second-0');
    const patched = applyPatch({ ...here, messages }, patch);
    expect(patched.messages.map(({ id }) => id)).toEqual(['first', 'first-0', 'third', 'third-0', 'second']);
  });
});
