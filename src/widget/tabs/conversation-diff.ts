import type { Conversation, ConversationMessage, Run } from '../../conversation/conversation.ts';
import { hasEnded } from '../../conversation/run-status.ts';

/** The changes of a conversation, as plain data for other tabs. */
export interface ConversationPatch {
  readonly threadId: string | undefined;
  readonly context: Conversation['context'];
  readonly feedback?: Conversation['feedback'];
  readonly messages: ListPatch<ConversationMessage>;
  readonly runs: ListPatch<Run>;
}

interface ListPatch<Item> {
  /** New and changed items. */
  readonly changed: readonly Item[];
  /** All ids in order; undefined when ids and order are the same as before. */
  readonly order: readonly string[] | undefined;
  /** Removed ids; undefined: all that are not in `order`. */
  readonly removed: readonly string[] | undefined;
}

/**
 * The patch from `before` to `after`; without `before`, the whole conversation. Undefined: nothing changed.
 * @param options.isLeading whether this tab reads the runs that are under way. If not, the tab that does publishes
 *   their changes, and knows more of them than this one.
 */
export function diffConversations(
  before: Conversation | undefined,
  after: Conversation,
  { isLeading }: { readonly isLeading: boolean },
): ConversationPatch | undefined {
  if (before === after) return undefined;
  const isReadElsewhere = ({ status }: Run): boolean => status === 'submitted' || status === 'streaming';
  const omitted = new Set(before && !isLeading ? after.runs.filter(isReadElsewhere).map(({ id }) => id) : []);
  const messages = listPatch(before?.messages, after.messages);
  const runs = listPatch(before?.runs, after.runs);
  return {
    threadId: after.threadId,
    context: after.context,
    feedback: after.feedback,
    messages: {
      ...messages,
      changed: messages.changed.filter(({ runKey }) => runKey === undefined || !omitted.has(runKey)),
    },
    runs: {
      ...runs,
      changed: runs.changed
        .filter(({ id }) => !omitted.has(id))
        // only the tab that reads the run needs the record of applied events
        .map((run) => ({ ...run, applied: { ...run.applied, recent: [], floor: run.lastEventId } })),
    },
  };
}

/**
 * Applies a patch. Items that only this tab has stay, unless the patch is a whole conversation: after all that came
 * before them here, and otherwise by time. Unchanged items stay the same objects.
 * @param own ids of runs that only this tab has read: for these, the patch is outdated and ignored, unless they were cut
 *   off here and read on elsewhere
 */
export function applyPatch(
  conversation: Conversation,
  patch: ConversationPatch,
  own: ReadonlySet<string> = new Set(),
): Conversation {
  const readOn = readOnElsewhere(conversation, patch);
  const current = new Set([...own, ...endedHere(conversation, patch)].filter((id) => !readOn.has(id)));
  const ownMessages: Own<ConversationMessage> = {
    has: ({ runKey }) => runKey !== undefined && current.has(runKey),
    time: ({ createdAt, status }) => (status === 'queued' ? Infinity : createdAt),
    names: ({ id, messageId = id }) => [id, messageId],
  };
  const ownRuns: Own<Run> = {
    has: ({ id }) => current.has(id),
    time: ({ startedAt }) => startedAt,
    names: ({ id }) => [id],
  };
  const messages = patchedMessages(conversation.messages, patch, ownMessages);
  const known = new Set(conversation.messages.map(({ id }) => id));
  return {
    // a tab that shows the same messages may not know the id of the thread yet
    threadId:
      patch.threadId ?? (messages.some(({ id }) => known.has(id)) ? conversation.threadId : undefined),
    context: patch.context,
    feedback: patch.feedback,
    messages,
    runs: patchedList(conversation.runs, patch.runs, ownRuns),
  };
}

/** Whether the conversation has messages, or ends of runs, that the sender of a whole conversation does not know. */
export function hasMoreThan(conversation: Conversation, patch: ConversationPatch): boolean {
  const { order, removed } = patch.messages;
  if (!order || removed) return false;
  return conversation.messages.length > order.length || endedHere(conversation, patch).length > 0;
}

/** Ids of the runs that were cut off in this tab, but not for the sender. */
function readOnElsewhere({ runs }: Conversation, patch: ConversationPatch): ReadonlySet<string> {
  const cutOff = new Set(runs.flatMap(({ id, status }) => (status === 'interrupted' ? [id] : [])));
  const others = patch.runs.changed.filter(({ id, status }) => cutOff.has(id) && status !== 'interrupted');
  return new Set(others.map(({ id }) => id));
}

/** Ids of the runs that have ended for this tab, but not for the sender of a whole conversation. */
function endedHere({ runs }: Conversation, { runs: { changed, removed } }: ConversationPatch): string[] {
  if (removed) return []; // a change: a run may be retried
  const ended = new Set(runs.filter(hasEnded).map(({ id }) => id));
  return changed.filter((run) => !hasEnded(run) && ended.has(run.id)).map(({ id }) => id);
}

/** Whether the conversation has all items that a patch refers to. If not, request the whole conversation. */
export function canApply(conversation: Conversation, patch: ConversationPatch): boolean {
  return listFits(conversation.messages, patch.messages) && listFits(conversation.runs, patch.runs);
}

function listFits<Item extends { readonly id: string }>(
  items: readonly Item[],
  { changed, order }: ListPatch<Item>,
): boolean {
  const known = new Set(items.map(({ id }) => id));
  if (!order) return changed.every(({ id }) => known.has(id));
  const changedIds = new Set(changed.map(({ id }) => id));
  return order.every((id) => changedIds.has(id) || known.has(id));
}

function listPatch<Item extends { readonly id: string }>(
  before: readonly Item[] | undefined,
  after: readonly Item[],
): ListPatch<Item> {
  if (!before) return { changed: after, order: after.map(({ id }) => id), removed: undefined };
  if (before === after) return { changed: [], order: undefined, removed: [] };
  let isMoved = before.length !== after.length;
  const changed: Item[] = [];
  after.forEach((item, index) => {
    const old = before[index];
    if (old === item) return;
    isMoved ||= old?.id !== item.id;
    changed.push(item);
  });
  if (!isMoved) return { changed, order: undefined, removed: [] };
  const known = new Map(before.map((item) => [item.id, item]));
  const order = after.map(({ id }) => id);
  const kept = new Set(order);
  return {
    changed: after.filter((item) => known.get(item.id) !== item),
    order,
    removed: before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  };
}

/**
 * Removes what the ids of the patch do not cover, because an answer has two local ids if one tab read it from a stream
 * and another from the history: duplicates, and the messages of removed runs.
 */
function patchedMessages(
  messages: readonly ConversationMessage[],
  { messages: patch, runs }: ConversationPatch,
  own: Own<ConversationMessage>,
): readonly ConversationMessage[] {
  const all = patchedList(messages, patch, own);
  if (!patch.order) return all;
  const named = new Set(patch.order);
  const stored = new Set(all.flatMap(({ id, messageId }) => (named.has(id) ? (messageId ?? []) : [])));
  const removedRuns = new Set(runs.removed);
  const isObsolete = ({ messageId, runKey }: ConversationMessage): boolean =>
    (messageId !== undefined && stored.has(messageId)) || (runKey !== undefined && removedRuns.has(runKey));
  return all.filter((message) => named.has(message.id) || !isObsolete(message));
}

/** Items for which this tab is more up to date than the patch. */
interface Own<Item> {
  has(item: Item): boolean;
  time(item: Item): number;
  /** Its id, and the service's: the local id may be another one in another tab. */
  names(item: Item): readonly string[];
}

function patchedList<Item extends { readonly id: string }>(
  items: readonly Item[],
  { changed, order, removed }: ListPatch<Item>,
  own: Own<Item>,
): readonly Item[] {
  if (changed.length === 0 && !order) return items;
  const known = new Map(items.map((item) => [item.id, item]));
  const updated = new Map(changed.filter((item) => !own.has(item)).map((item) => [item.id, item]));
  if (!order) return items.map((item) => updated.get(item.id) ?? item);
  const named = new Set(order);
  const missing = removed && new Set(removed);
  const all = order.flatMap((id) => updated.get(id) ?? known.get(id) ?? []);
  const before = new Set<string>();
  for (const item of items) {
    const isKept = !named.has(item.id) && (own.has(item) || (missing && !missing.has(item.id)));
    if (isKept) all.splice(indexFor(item, all, { ...own, before }), 0, item);
    for (const name of own.names(item)) before.add(name);
  }
  return all;
}

/**
 * Index at which to insert an item: by time, so that all tabs have the same order. Some times are the service's and
 * some are this device's, and either clock may be wrong: an item never goes before what preceded it in this tab.
 * @param options.before names of what preceded it
 */
function indexFor<Item extends { readonly id: string }>(
  item: Item,
  items: readonly Item[],
  { before, time, names }: Own<Item> & { readonly before: ReadonlySet<string> },
): number {
  const isBefore = (other: Item): boolean =>
    names(other).some((name) => before.has(name)) ||
    time(other) < time(item) ||
    (time(other) === time(item) && other.id < item.id);
  return items.findLastIndex(isBefore) + 1;
}
