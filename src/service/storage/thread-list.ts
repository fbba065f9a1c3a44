import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Message } from '../../protocol/index.ts';
import { plainLine, visibleText } from './message-text.ts';
import { findMatches, indexTitle, type SearchMatch } from './search-index.ts';
import { startInText, searchTerms } from './search-words.ts';
import type { Database, Store } from './store.ts';
import type { ThreadsTable } from './tables.ts';
import type { Reach } from './threads.ts';

/** Matches that are read at once, and how often: a thread with many matches must not hide others. */
const matchBatch = 100;
const maxBatches = 50;
/** Matches on earlier pages whose threads are not listed again. */
const maxSeen = 20_000;
const excerptLength = 160;
/** Characters of an excerpt before the word that was found. */
const leadLength = 40;

/** A thread in a list. */
export interface ListedThread extends Selectable<ThreadsTable> {
  /** Number of notifications. */
  readonly unread: number;
  /** Where the query was found. */
  readonly match?: ThreadMatch;
}

/** The newest text of a thread in which a query was found. */
export interface ThreadMatch {
  /** `undefined`: the title. */
  readonly messageId: string | undefined;
  readonly text: string;
  readonly createdOn: number;
}

/** Which threads are listed. */
export interface ThreadSelection {
  readonly reach: Reach;
  readonly archived: boolean;
  /** Only threads of this agent. */
  readonly agentId?: string | undefined;
  /** Agents whose threads are left out. */
  readonly closedAgents: readonly string[];
  readonly limit: number;
}

/** Some threads, with the position of the rest. */
export interface ThreadPage<Position> {
  readonly threads: readonly ListedThread[];
  /** `undefined`: there are no more. */
  readonly next: Position | undefined;
}

/** A position in the list of threads. */
export interface ThreadPosition {
  readonly updatedOn: number;
  readonly id: string;
}

/** Lists threads, those with the newest messages first. */
export async function listThreads(
  database: Database,
  selection: ThreadSelection,
  before?: ThreadPosition,
): Promise<ThreadPage<ThreadPosition>> {
  const { limit } = selection;
  const below = before
    ? sql`(threads.updated_on, threads.id) < (${before.updatedOn}, ${before.id})`
    : sql`true`;
  const { rows } = await sql<ListedThread>`
    ${selectThreads} where ${inSelection(selection)} and ${below}
    order by threads.updated_on desc, threads.id desc limit ${limit + 1}`.execute(database);
  const threads = rows.slice(0, limit);
  const last = threads.at(-1);
  const next = rows.length > limit && last ? { updatedOn: last.updated_on, id: last.id } : undefined;
  return { threads, next };
}

/**
 * Lists threads in which a query was found, those with the newest match first. Each is listed once: at its newest
 * match.
 * @param before place of the last match before the page
 */
export async function searchThreads(
  store: Store,
  selection: ThreadSelection & { readonly query: string },
  before?: number,
): Promise<ThreadPage<number>> {
  const { reach, query, limit } = selection;
  const terms = searchTerms(query);
  if (terms.length === 0) return { threads: [], next: undefined };
  const { database } = store;
  const search = { reach, terms };
  const seen = new Set<string>();
  if (before !== undefined) {
    const listed = await findMatches(store, database, { ...search, from: before, limit: maxSeen });
    for (const { threadId } of listed) seen.add(threadId);
  }
  const found: { readonly thread: ListedThread; readonly match: SearchMatch }[] = [];
  let place = before;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const matches = await findMatches(store, database, { ...search, limit: matchBatch, before: place });
    const fresh: SearchMatch[] = [];
    for (const match of matches) {
      if (!seen.has(match.threadId)) fresh.push(match);
      seen.add(match.threadId);
    }
    const threads = await findListed(database, selection, fresh);
    for (const match of fresh) {
      const thread = threads.get(match.threadId);
      if (!thread) continue;
      const last = found.at(-1);
      if (found.length === limit)
        return { threads: await withExcerpts(database, found, query), next: last?.match.place };
      found.push({ thread, match });
    }
    place = matches.at(-1)?.place;
    if (matches.length < matchBatch)
      return { threads: await withExcerpts(database, found, query), next: undefined };
  }
  return { threads: await withExcerpts(database, found, query), next: place };
}

/** Changes of a thread. Absent: as it is. */
export interface ThreadChange {
  /** `null`: the agent's title, or the first words. */
  readonly title?: string | null | undefined;
  readonly archived?: boolean | undefined;
}

/** Changes a thread. `undefined`: it was deleted. */
export async function changeThread(
  store: Store,
  threadId: string,
  { title, archived }: ThreadChange,
): Promise<ListedThread | undefined> {
  return store.transaction(async (database) => {
    if (title !== undefined || archived !== undefined) {
      await database
        .updateTable('threads')
        .set({
          ...(title === undefined ? {} : { title }),
          ...(archived === undefined ? {} : { archived: archived ? 1 : 0 }),
        })
        .where('id', '=', threadId)
        .execute();
    }
    const { rows } = await sql<ListedThread>`${selectThreads} where threads.id = ${threadId}`.execute(
      database,
    );
    const [thread] = rows;
    if (thread && title !== undefined)
      await indexTitle(store, database, { threadId, title: title ?? thread.agent_title ?? undefined });
    return thread;
  });
}

const selectThreads = sql`
  select threads.*, (select count(*) from notifications where notifications.thread_id = threads.id) as unread
  from threads`;

function inSelection({ reach, archived, agentId, closedAgents }: ThreadSelection): RawBuilder<boolean> {
  const conditions = [
    sql`threads.tenant_id = ${reach.tenantId}`,
    ...(reach.subject === undefined ? [] : [sql`threads.subject = ${reach.subject}`]),
    sql`threads.archived = ${archived ? 1 : 0}`,
    ...(agentId === undefined ? [] : [sql`threads.agent_id = ${agentId}`]),
    ...(closedAgents.length === 0 ? [] : [sql`threads.agent_id not in (${sql.join(closedAgents)})`]),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** Returns those threads of the matches that are in the selection. */
async function findListed(
  database: Database,
  { archived, agentId, closedAgents }: ThreadSelection,
  matches: readonly SearchMatch[],
): Promise<ReadonlyMap<string, ListedThread>> {
  if (matches.length === 0) return new Map();
  const ids = matches.map(({ threadId }) => threadId);
  const { rows } = await sql<ListedThread>`${selectThreads} where threads.id in (${sql.join(ids)})`.execute(
    database,
  );
  const isListed = (thread: ListedThread): boolean =>
    (thread.archived === 1) === archived &&
    (agentId === undefined || thread.agent_id === agentId) &&
    !closedAgents.includes(thread.agent_id);
  return new Map(rows.filter(isListed).map((thread) => [thread.id, thread]));
}

async function withExcerpts(
  database: Database,
  found: readonly { readonly thread: ListedThread; readonly match: SearchMatch }[],
  query: string,
): Promise<ListedThread[]> {
  if (found.length === 0) return [];
  const rows = await database
    .selectFrom('messages')
    .select(['id', 'created_on', 'role', 'body'])
    .where(
      'id',
      'in',
      found.map(({ match }) => match.messageId),
    )
    .execute();
  const messages = new Map(rows.map((row) => [row.id, row]));
  return found.map(({ thread, match }) => {
    const row = messages.get(match.messageId);
    if (!row) {
      const text = thread.title ?? thread.agent_title ?? '';
      return { ...thread, match: { messageId: undefined, text, createdOn: thread.updated_on } };
    }
    const message = JSON.parse(row.body) as Message; // written by `insertMessage`
    return {
      ...thread,
      match: { messageId: row.id, text: excerpt(visibleText(message), query), createdOn: row.created_on },
    };
  });
}

/** Returns a line of a text around the first word that was found. */
function excerpt(text: string, query: string): string {
  const start = startInText(text, query);
  if (start <= leadLength) return plainLine(text, excerptLength);
  const lead = text.slice(start - leadLength, start).replace(/^\S*\s+/, '');
  return plainLine(`…${lead}${text.slice(start, start + excerptLength * 4)}`, excerptLength);
}
