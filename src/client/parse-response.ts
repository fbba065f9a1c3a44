import type {
  EmbeddedChatConfigResponse,
  ListedThread,
  Notification,
  StoredMessage,
  ThreadList,
} from '../protocol/index.ts';
import { isObject, parseJson } from '../protocol/json.ts';
import type { ListedMessage, WireDiagnostic } from './agent-client.ts';
import { ResponseShapeError, type ShapeIssue } from './response-errors.ts';

type JsonObject = Record<string, unknown>;

/**
 * Parses the embedded chat config in a response. Checks only the fields that are used, and by hand, so that the browser
 * does not have to load the schemas. Unknown keys are kept.
 * @throws ResponseShapeError
 */
export function readConfigResponse(text: string): EmbeddedChatConfigResponse {
  const body = jsonBody(text);
  const issues: ShapeIssue[] = [];
  const config = isObject(body) ? body : {};
  if (!isObject(body)) issues.push({ path: [], message: notAnObject(text) });
  else if (!isObject(config['layout'])) issues.push({ path: ['layout'], message: 'must be an object' });
  for (const key of ['script', 'updated_at']) {
    if (!isOptional(config[key], 'string')) issues.push({ path: [key], message: 'must be a string' });
  }
  if (!isOptional(config['is_live'], 'boolean'))
    issues.push({ path: ['is_live'], message: 'must be true or false' });
  if (issues.length > 0) throw new ResponseShapeError('embedded chat config', issues);
  return config as EmbeddedChatConfigResponse; // every member the widget relies on was checked above
}

/** The stored message in the response to a callback; undefined when there is none, which the interface permits. */
export function readStoredMessage(text: string): StoredMessage | undefined {
  const body = jsonBody(text);
  const candidates = isObject(body) ? [body['message'], body] : [];
  return candidates.find(isStoredMessage);
}

/** The stored record in the response to a notification; undefined when there is none, which the interface permits. */
export function readNotification(text: string): Notification | undefined {
  const body = jsonBody(text);
  const candidates = isObject(body) ? [body['notification'], body] : [];
  return candidates.find(isNotification);
}

/**
 * Returns the entries of a thread's history that are objects. Converts a numeric `id` to a string. Reports each entry
 * that is not a message with content and a unique id.
 * @throws ResponseShapeError when the body is not a list.
 */
export function readMessages(
  text: string,
  report: (diagnostic: WireDiagnostic) => void,
): readonly ListedMessage[] {
  const ids = new Set<unknown>();
  return listOf(text, 'messages').flatMap((entry, index) => {
    const issue = issueOf(entry, ids);
    if (issue) report({ code: 'odd-stored-message', message: `Entry ${index} of the history ${issue}.` });
    if (!isObject(entry)) return [];
    const { id, ...rest } = entry;
    ids.add(id);
    if (typeof id === 'number') return [{ ...rest, id: String(id) }];
    return [typeof id === 'string' && id !== '' ? { ...rest, id } : rest];
  });
}

function issueOf(entry: unknown, ids: ReadonlySet<unknown>): string | undefined {
  if (!isObject(entry)) return `is ${entry === null ? 'null' : `a ${typeof entry}`}, so it is skipped`;
  const { id, content } = entry;
  if (typeof id === 'number') return 'has a number as its id, which was converted to text';
  if (typeof id !== 'string' || id === '') return 'has no id';
  if (ids.has(id)) return 'has the id of an earlier entry, so it is skipped';
  return content === undefined || content === null ? 'has no content' : undefined;
}

/** @throws ResponseShapeError */
export function readNotifications(text: string): readonly Notification[] {
  return readList(text, 'notifications', isNotification, 'must be a notification with a thread_id');
}

/**
 * Reads a list of threads. Entries without an id are skipped; other members that are missing or odd get a default.
 * @throws ResponseShapeError when the body is not a list
 */
export function readThreads(text: string): ThreadList {
  const threads = listOf(text, 'threads').flatMap((entry) => threadOf(entry) ?? []);
  const body = jsonBody(text);
  const next = isObject(body) ? body['next'] : undefined;
  return { threads, next: typeof next === 'string' && next !== '' ? next : null };
}

/** The thread in the response to a change; undefined when there is none. */
export function readThread(text: string): ListedThread | undefined {
  return threadOf(jsonBody(text));
}

function threadOf(value: unknown): ListedThread | undefined {
  if (!isObject(value) || typeof value['id'] !== 'string' || value['id'] === '') return undefined;
  const { id, match: found, last_message: last, unread } = value;
  const created = textOf(value['created_on']);
  const match = isObject(found) ? matchOf(found) : undefined;
  return {
    ...value,
    id,
    agent_id: textOf(value['agent_id']),
    title: textOf(value['title']),
    last_message: isObject(last) ? { ...last, role: textOf(last['role']), text: textOf(last['text']) } : null,
    unread: typeof unread === 'number' && unread > 0 ? unread : 0,
    archived: value['archived'] === true,
    created_on: created,
    updated_on: textOf(value['updated_on']) || created,
    match,
  };
}

function matchOf(found: JsonObject): NonNullable<ListedThread['match']> {
  const messageId = textOf(found['message_id']);
  return {
    ...found,
    message_id: messageId === '' ? null : messageId,
    text: textOf(found['text']),
    created_on: textOf(found['created_on']),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readList<Item>(
  text: string,
  key: string,
  isItem: (value: unknown) => value is Item,
  expected: string,
): readonly Item[] {
  const list = listOf(text, key);
  const issues = list.flatMap((item: unknown, index) =>
    isItem(item) ? [] : [{ path: [key, index], message: expected }],
  );
  if (issues.length > 0) throw new ResponseShapeError(`list of ${key}`, issues.slice(0, 20));
  return list.filter(isItem);
}

function listOf(text: string, key: string): readonly unknown[] {
  const body = jsonBody(text);
  const list: unknown = isObject(body) ? body[key] : body;
  if (Array.isArray(list)) return list;
  const issue = isObject(body)
    ? { path: [key], message: 'must be a list' }
    : { path: [], message: notAnObject(text) };
  throw new ResponseShapeError(`list of ${key}`, [issue]);
}

function isStoredMessage(value: unknown): value is StoredMessage {
  return isObject(value) && typeof value['id'] === 'string';
}

function isNotification(value: unknown): value is Notification {
  return isObject(value) && typeof value['thread_id'] === 'string';
}

function isOptional(value: unknown, type: 'string' | 'boolean'): boolean {
  return value === undefined || value === null || typeof value === type;
}

function jsonBody(text: string): JsonObject | unknown[] | undefined {
  const parsed = parseJson(text);
  return parsed.ok && (isObject(parsed.value) || Array.isArray(parsed.value)) ? parsed.value : undefined;
}

function notAnObject(text: string): string {
  if (text.trim() === '') return 'is empty';
  return text.trimStart().startsWith('<') ? 'is HTML (a proxy answered?)' : 'must be a JSON object';
}
