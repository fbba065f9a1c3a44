import { sql, type RawBuilder } from 'kysely';
import type { Message } from '../../protocol/index.ts';
import { jsonRows } from './json-rows.ts';
import { messageAuthor } from './message-author.ts';
import { givenTitle, plainLine, visibleText } from './message-text.ts';
import { searchTokens, type SearchTerm } from './search-words.ts';
import type { Database, Store } from './store.ts';
import type { Reach } from './threads.ts';

/** Characters of a message that can be found. */
const maxIndexedLength = 16_000;
const lineLength = 160;
const wordsLength = 80;
/** Texts of a caller that are searched without the index, at most. */
const maxScanned = 2_000;
/** Places in the index per millisecond. */
const placesPerMs = 4096;

/** A stored message, for the index and the list of threads. */
export interface IndexedMessage {
  readonly id: string;
  readonly thread_id: string;
  readonly author: string;
  readonly role: string;
  readonly clock: number;
  readonly message: Message;
}

/** A text that matches a query. */
export interface SearchMatch {
  /** Grows with the time of the text. */
  readonly place: number;
  readonly threadId: string;
  /** The message; the thread's id if its title matches. */
  readonly messageId: string;
}

let lastPlace = 0;

/** Returns the place of a text: later ones are greater, and no two are equal in this process. */
function nextPlace(clock: number): number {
  lastPlace = (lastPlace + 1) % placesPerMs;
  return clock * placesPerMs + lastPlace;
}

/** Adds messages to the index, and to the previews of their threads. Messages that are there stay. */
export async function indexMessages(
  store: Store,
  database: Database,
  messages: readonly IndexedMessage[],
): Promise<void> {
  await indexTextsOf(store, database, messages);
  await writePreviews(store, database, messages);
}

/** Adds messages to the index only. */
export async function indexTextsOf(
  store: Store,
  database: Database,
  messages: readonly IndexedMessage[],
): Promise<void> {
  const texts = messages.map(({ id, thread_id: threadId, clock, message }) => {
    return { id, threadId, clock, text: visibleText(message) };
  });
  await indexTexts(store, database, texts);
}

/** Removes messages of threads from the index. */
export async function removeTexts(
  database: Database,
  threadIds: readonly string[],
  messageIds: readonly string[],
): Promise<void> {
  await database
    .deleteFrom('search_texts')
    .where('thread_id', 'in', threadIds)
    .where('message_id', 'in', messageIds)
    .execute();
}

/** Replaces the text of a message in the index, and in its thread if it is the last one. */
export async function reindexMessage(
  store: Store,
  database: Database,
  message: IndexedMessage,
): Promise<void> {
  const { id, thread_id: threadId } = message;
  await removeTexts(database, [threadId], [id]);
  await indexTexts(store, database, [
    { id, threadId, clock: message.clock, text: visibleText(message.message) },
  ]);
  await database
    .updateTable('threads')
    .set({ last_line: plainLine(visibleText(message.message), lineLength), last_role: message.role })
    .where('id', '=', threadId)
    .where('clock', '=', message.clock)
    .execute();
}

/** Replaces the title of a thread in the index. `undefined`: it has none of its own. */
export async function indexTitle(
  store: Store,
  database: Database,
  { threadId, title }: { readonly threadId: string; readonly title: string | undefined },
): Promise<void> {
  await removeTexts(database, [threadId], [threadId]);
  if (title === undefined) return;
  await indexTexts(store, database, [{ id: threadId, threadId, clock: Date.now(), text: title }]);
}

interface IndexedText {
  readonly id: string;
  readonly threadId: string;
  readonly clock: number;
  readonly text: string;
}

async function indexTexts(store: Store, database: Database, texts: readonly IndexedText[]): Promise<void> {
  const rows = texts.flatMap(({ id, threadId, clock, text }) => {
    const tokens = searchTokens(text.slice(0, maxIndexedLength));
    if (tokens.length === 0) return [];
    const words =
      store.engine === 'sqlite'
        ? tokens.join(' ')
        : tokens.map((token, index) => `'${token}':${index + 1}`).join(' ');
    return [[threadId, id, nextPlace(clock), words]];
  });
  if (rows.length === 0) return;
  const words = store.engine === 'sqlite' ? sql`j.value->>3` : sql`(j.value->>3)::tsvector`;
  await sql`
    insert into search_texts (place, thread_id, message_id, tenant_id, subject, words)
    select cast(j.value->>2 as bigint), threads.id, j.value->>1, threads.tenant_id, threads.subject, ${words}
    from ${jsonRows(store, rows)} join threads on threads.id = j.value->>0 where true
    on conflict do nothing`.execute(database);
}

/** Writes what a list of threads shows of each: the visitor's first words, the last line, the agent's title. */
export async function writePreviews(
  store: Store,
  database: Database,
  messages: readonly IndexedMessage[],
): Promise<void> {
  const lines = new Map<
    string,
    { first: string; last: string; role: string; clock: number; title?: string }
  >();
  for (const { thread_id: threadId, role, clock, author, message } of messages) {
    const before = lines.get(threadId) ?? { first: '', last: '', role: '', clock: 0 };
    const title = messageAuthor(author).kind === 'visitor' ? undefined : givenTitle(message);
    const text = visibleText(message);
    const last = plainLine(text, lineLength);
    lines.set(threadId, {
      ...before,
      first: before.first === '' && role === 'user' ? plainLine(text, wordsLength) : before.first,
      ...(last === '' || clock < before.clock ? {} : { last, role, clock }),
      ...(title === undefined ? {} : { title }),
    });
  }
  const rows = [...lines].map(([id, { first, last, role, title = '' }]) => [id, first, last, role, title]);
  if (rows.length === 0) return;
  await sql`
    update threads set
      first_words = case when coalesce(first_words, '') = '' then j.value->>1 else first_words end,
      last_line = case when j.value->>2 = '' then last_line else j.value->>2 end,
      last_role = case when j.value->>2 = '' then last_role else j.value->>3 end,
      agent_title = case when j.value->>4 = '' then agent_title else j.value->>4 end
    from ${jsonRows(store, rows)} where threads.id = j.value->>0`.execute(database);
  for (const [threadId, { title }] of lines) {
    if (title === undefined) continue;
    const row = database.selectFrom('threads').select('title').where('id', '=', threadId);
    if ((await row.executeTakeFirst())?.title == null) await indexTitle(store, database, { threadId, title });
  }
  for (const message of messages) await replaceFirstWords(database, message);
}

/** Takes the first words of a thread from the edited message if it replaces the one that they are from. */
async function replaceFirstWords(database: Database, edited: IndexedMessage): Promise<void> {
  const { role, thread_id: threadId, message } = edited;
  const { parent_message_id: parentId } = message;
  const words = role === 'user' ? plainLine(visibleText(message), wordsLength) : '';
  if (typeof parentId !== 'string' || words === '') return;
  const parent = await database
    .selectFrom('messages')
    .select('body')
    .where('id', '=', parentId.toLowerCase())
    .where('thread_id', '=', threadId)
    .where('role', '=', 'user')
    .executeTakeFirst();
  if (!parent) return;
  const replaced = JSON.parse(parent.body) as Message; // written by `insertMessage`
  await database
    .updateTable('threads')
    .set({ first_words: words })
    .where('id', '=', threadId)
    .where('first_words', '=', plainLine(visibleText(replaced), wordsLength))
    .execute();
}

/** Which matches are read. */
export interface MatchRange {
  readonly reach: Reach;
  readonly terms: readonly SearchTerm[];
  /** Only matches before this place. */
  readonly before?: number | undefined;
  /** Only matches at this place or later. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** Returns the matches of a query in the threads of a caller, newest first. */
export async function findMatches(
  store: Store,
  database: Database,
  range: MatchRange,
): Promise<readonly SearchMatch[]> {
  const { terms } = range;
  if (store.engine === 'postgres') {
    const query = terms.map(tsTerm).join(' & ');
    return readMatches(database, sql`search_texts as texts where texts.words @@ ${query}::tsquery`, range);
  }
  // most visitors have few texts, and a frequent word is soon found: the index is for rare words among many texts
  const floor = await placeBelow(database, range, maxScanned);
  const from = Math.max(floor ?? 0, range.from ?? 0);
  const near = await readMatches(
    database,
    sql`search_texts as texts where ${sql.join(terms.map(isInWords), sql` and `)}`,
    { ...range, from },
  );
  if (floor === undefined || near.length === range.limit || from > floor) return near;
  const far = await readMatches(
    database,
    // `cross`: the index first, for each of its finds the text
    sql`search_index cross join search_texts as texts on texts.place = search_index.rowid
      where search_index match ${terms.map(ftsTerm).join(' AND ')} and search_index.rowid < ${floor}`,
    { ...range, before: floor, limit: range.limit - near.length },
    sql`search_index.rowid`,
  );
  return [...near, ...far];
}

/**
 * Reads the matches of a range.
 * @param source what follows `from`, up to the conditions
 * @param place by which the rows are read in order
 */
async function readMatches(
  database: Database,
  source: RawBuilder<unknown>,
  { reach, before = Number.MAX_SAFE_INTEGER, from = 0, limit }: MatchRange,
  place = sql`texts.place`,
): Promise<readonly SearchMatch[]> {
  const { rows } = await sql<SearchMatch>`
    select texts.place, texts.thread_id as ${sql.ref('threadId')}, texts.message_id as ${sql.ref('messageId')}
    from ${source} and ${isOwn(reach)} and texts.place < ${before} and texts.place >= ${from}
    order by ${place} desc limit ${limit}`.execute(database);
  return rows;
}

/** Returns the place of the text that is `count` texts below the end of the range; `undefined`: there are fewer. */
async function placeBelow(
  database: Database,
  { reach, before = Number.MAX_SAFE_INTEGER }: MatchRange,
  count: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ place: number }>`
    select texts.place from search_texts as texts where ${isOwn(reach)} and texts.place < ${before}
    order by texts.place desc limit 1 offset ${count}`.execute(database);
  return rows[0]?.place;
}

function isOwn({ tenantId, subject }: Reach): RawBuilder<boolean> {
  const own = sql<boolean>`texts.tenant_id = ${tenantId}`;
  return subject === undefined ? own : sql`${own} and texts.subject = ${subject}`;
}

/** Whether the tokens of a text, with a space between them, contain a term. */
function isInWords({ tokens, isPrefix }: SearchTerm): RawBuilder<boolean> {
  const term = ` ${tokens.join(' ')}`;
  return isPrefix
    ? sql`instr(' ' || texts.words, ${term}) > 0`
    : sql`instr(' ' || texts.words || ' ', ${`${term} `}) > 0`;
}

function ftsTerm({ tokens, isPrefix }: SearchTerm): string {
  return `"${tokens.join(' ')}"${isPrefix ? '*' : ''}`;
}

function tsTerm({ tokens, isPrefix }: SearchTerm): string {
  return `(${tokens.map((token) => `'${token}'`).join(' <-> ')}${isPrefix ? ':*' : ''})`;
}
