import type { Conversation, ConversationMessage, Run } from '../../conversation/conversation.ts';

/** What changed in a conversation, as one tab tells it to the others. Plain data. */
export interface ConversationPatch {
  readonly threadId: string | undefined;
  readonly context: Conversation['context'];
  readonly feedback?: Conversation['feedback'];
  readonly messages: ListPatch<ConversationMessage>;
  readonly runs: ListPatch<Run>;
}

interface ListPatch<Item> {
  /** Items that are new or other than before. */
  readonly changed: readonly Item[];
  /** Every id in its place; absent when neither changed. */
  readonly order: readonly string[] | undefined;
  /** Ids that are no more; `undefined`: whatever is not in `order`. */
  readonly gone: readonly string[] | undefined;
}

/** What makes `after` of `before`; without `before`, all of it. Undefined: nothing changed. */
export function diffConversations(
  before: Conversation | undefined,
  after: Conversation,
): ConversationPatch | undefined {
  if (before === after) return undefined;
  const runs = listPatch(before?.runs, after.runs);
  return {
    threadId: after.threadId,
    context: after.context,
    feedback: after.feedback,
    messages: listPatch(before?.messages, after.messages),
    // the memory of single events is of use only where they are read
    runs: {
      ...runs,
      changed: runs.changed.map((run) => ({
        ...run,
        applied: { ...run.applied, recent: [], floor: run.lastEventId },
      })),
    },
  };
}

/**
 * Puts a patch on. What only this side has stays at the end, unless the patch is a whole conversation. What did not
 * change stays the very object.
 * @param own ids of runs that were read on this side only: what the patch says of them, or leaves out, is out of date
 */
export function applyPatch(
  conversation: Conversation,
  patch: ConversationPatch,
  own: ReadonlySet<string> = new Set(),
): Conversation {
  const ownMessages: Own<ConversationMessage> = {
    has: ({ runKey }) => runKey !== undefined && own.has(runKey),
    time: ({ createdAt }) => createdAt,
  };
  const ownRuns: Own<Run> = { has: ({ id }) => own.has(id), time: ({ startedAt }) => startedAt };
  return {
    threadId: patch.threadId,
    context: patch.context,
    feedback: patch.feedback,
    messages: patchedMessages(conversation.messages, patch.messages, ownMessages),
    runs: patchedList(conversation.runs, patch.runs, ownRuns),
  };
}

/** Whether everything a patch builds on is known here; otherwise all of it must be told. */
export function canApply(conversation: Conversation, patch: ConversationPatch): boolean {
  return listFits(conversation.messages, patch.messages) && listFits(conversation.runs, patch.runs);
}

function listFits<Item extends { readonly id: string }>(
  items: readonly Item[],
  { changed, order }: ListPatch<Item>,
): boolean {
  const known = new Set(items.map(({ id }) => id));
  if (!order) return changed.every(({ id }) => known.has(id));
  const told = new Set(changed.map(({ id }) => id));
  return order.every((id) => told.has(id) || known.has(id));
}

function listPatch<Item extends { readonly id: string }>(
  before: readonly Item[] | undefined,
  after: readonly Item[],
): ListPatch<Item> {
  if (!before) return { changed: after, order: after.map(({ id }) => id), gone: undefined };
  if (before === after) return { changed: [], order: undefined, gone: [] };
  let isMoved = before.length !== after.length;
  const changed: Item[] = [];
  after.forEach((item, place) => {
    const old = before[place];
    if (old === item) return;
    isMoved ||= old?.id !== item.id;
    changed.push(item);
  });
  if (!isMoved) return { changed, order: undefined, gone: [] };
  const known = new Map(before.map((item) => [item.id, item]));
  const order = after.map(({ id }) => id);
  const kept = new Set(order);
  return {
    changed: after.filter((item) => known.get(item.id) !== item),
    order,
    gone: before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  };
}

/** An answer that one tab read from its stream and another from the thread's history has two ids: one stays. */
function patchedMessages(
  messages: readonly ConversationMessage[],
  patch: ListPatch<ConversationMessage>,
  own: Own<ConversationMessage>,
): readonly ConversationMessage[] {
  const all = patchedList(messages, patch, own);
  if (!patch.order) return all;
  const named = new Set(patch.order);
  const stored = new Set(all.flatMap(({ id, messageId }) => (named.has(id) ? (messageId ?? []) : [])));
  return all.filter(
    ({ id, messageId }) => named.has(id) || messageId === undefined || !stored.has(messageId),
  );
}

/** Items that this side knows better than the other. */
interface Own<Item> {
  has(item: Item): boolean;
  time(item: Item): number;
}

function patchedList<Item extends { readonly id: string }>(
  items: readonly Item[],
  { changed, order, gone }: ListPatch<Item>,
  own: Own<Item>,
): readonly Item[] {
  if (changed.length === 0 && !order) return items;
  const known = new Map(items.map((item) => [item.id, item]));
  const fresh = new Map(changed.map((item) => [item.id, item]));
  for (const item of items) if (own.has(item)) fresh.delete(item.id);
  if (!order) return items.map((item) => fresh.get(item.id) ?? item);
  const named = new Set(order);
  const missing = gone && new Set(gone);
  const all = order.flatMap((id) => fresh.get(id) ?? known.get(id) ?? []);
  for (const item of items) {
    if (named.has(item.id)) continue;
    if (own.has(item)) all.splice(placeOf(item, all, own), 0, item);
    else if (missing && !missing.has(item.id)) all.push(item);
  }
  return all;
}

/** By time, so that all tabs find the same place. */
function placeOf<Item extends { readonly id: string }>(
  item: Item,
  items: readonly Item[],
  { time }: Own<Item>,
): number {
  const isBefore = (other: Item): boolean =>
    time(other) < time(item) || (time(other) === time(item) && other.id < item.id);
  return items.findLastIndex(isBefore) + 1;
}
