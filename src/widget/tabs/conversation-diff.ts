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
export function patchBetween(
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

/** Puts a patch on; what this side alone has stays, at the end. What did not change stays the very object. */
export function patched(conversation: Conversation, patch: ConversationPatch): Conversation {
  return {
    threadId: patch.threadId,
    context: patch.context,
    feedback: patch.feedback,
    messages: patchedList(conversation.messages, patch.messages),
    runs: patchedList(conversation.runs, patch.runs),
  };
}

/** Whether everything a patch builds on is known here; otherwise all of it must be told. */
export function fits(conversation: Conversation, patch: ConversationPatch): boolean {
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

function patchedList<Item extends { readonly id: string }>(
  items: readonly Item[],
  { changed, order, gone }: ListPatch<Item>,
): readonly Item[] {
  if (changed.length === 0 && !order) return items;
  const fresh = new Map(changed.map((item) => [item.id, item]));
  if (!order) return items.map((item) => fresh.get(item.id) ?? item);
  const own = new Map(items.map((item) => [item.id, item]));
  const named = new Set(order);
  const missing = new Set(gone);
  const others = gone ? items.filter(({ id }) => !named.has(id) && !missing.has(id)) : [];
  const ordered = order.flatMap((id) => fresh.get(id) ?? own.get(id) ?? []);
  return [...ordered, ...others];
}
