import type { RunEvent } from '../../protocol/index.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import { isKnownRunEventKind } from '../../protocol/run-event-kinds.ts';
import { normalizeResult } from './normalize-result.ts';
import type { ValueRecord } from './stream-record.ts';

type JsonObject = Record<string, unknown>;

/** Why a record does not fit the interface: reported, never thrown. */
export type RecordOddity = 'not-an-event' | 'odd-data';

/** Receives the irregularity and its value. */
export type OddityReport = (oddity: RecordOddity, value: unknown) => void;

/** Fields of an SSE block, used where its JSON lacks them. */
interface BlockFields {
  readonly event: string | undefined;
  readonly id: string | undefined;
}

/**
 * Converts a record into run events: usually one, several for an array or a run's result, none for a keep-alive.
 * `id`, `event` and `data` come out as the interface defines them.
 */
export function normalizeRecord(record: ValueRecord, report: OddityReport): readonly RunEvent[] {
  return fromValue(record.value, record, report);
}

function fromValue(value: unknown, fields: BlockFields, report: OddityReport): readonly RunEvent[] {
  if (isObject(value)) return fromObject(value, fields, report);
  if (isEmptyList(value) && fields.event !== undefined) return fromValue('', fields, report);
  if (Array.isArray(value)) return value.flatMap((element: unknown) => fromElement(element, fields, report));
  if (value === null) return [];
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    if (parsed.ok && isObject(parsed.value)) return fromObject(parsed.value, fields, report);
    if (fields.event !== undefined) {
      const event = knownName(fields.event);
      // a named block without data is an event only if its kind is known; otherwise it is a keep-alive
      if (value === '' && !isKnownRunEventKind(event)) return [];
      return [{ id: fields.id ?? '', event, data: textData(event, value) }];
    }
  }
  report('not-an-event', value);
  return [];
}

function fromElement(element: unknown, fields: BlockFields, report: OddityReport): readonly RunEvent[] {
  if (isObject(element)) return fromObject(element, fields, report);
  report('not-an-event', element);
  return [];
}

function fromObject(value: JsonObject, fields: BlockFields, report: OddityReport): readonly RunEvent[] {
  const name = value['event'];
  if (typeof name === 'string' && name !== '') return [fromEnvelope(value, knownName(name), fields, report)];

  const otherName = nameInsteadOfEvent(value);
  const enveloped =
    otherName !== undefined && (isKnownRunEventKind(otherName) || value['data'] !== undefined);
  if (enveloped && (fields.event === undefined || isKnownRunEventKind(otherName))) {
    return [fromEnvelope(value, otherName, fields, report)];
  }
  if (fields.event !== undefined) {
    const event = knownName(fields.event);
    if (isBareEnvelope(value)) return [fromEnvelope(value, event, fields, report)];
    return [{ id: fields.id ?? '', event, data: value }];
  }
  if (Object.keys(value).length === 0) return [];

  const events = normalizeResult(value);
  if (events !== undefined) return events.map((event) => ({ ...event, id: fields.id ?? '' }));
  if (otherName !== undefined) return [fromEnvelope(value, otherName, fields, report)];
  report('not-an-event', value);
  return [];
}

/** `type` or `object` in place of `event`. @source seen on the wire */
function nameInsteadOfEvent(value: JsonObject): string | undefined {
  const type = kindName(value['type']);
  if (type !== undefined && isKnownRunEventKind(type)) return type;
  const object = kindName(value['object']);
  return object !== undefined && isKnownRunEventKind(object) ? object : (type ?? object);
}

function kindName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? withoutThreadPrefix(value) : undefined;
}

/** `{id, data}` whose kind is in the block's `event:` field. */
function isBareEnvelope(value: JsonObject): boolean {
  return isObject(value['data']) && Object.keys(value).every((key) => key === 'id' || key === 'data');
}

function fromEnvelope(value: JsonObject, event: string, fields: BlockFields, report: OddityReport): RunEvent {
  const { id, data } = value;
  if (typeof id === 'string' && isObject(data) && value['event'] === event) {
    return { ...value, id, event, data };
  }
  return { id: idOf(id, fields), event, data: dataOf(value, event, report) };
}

function idOf(id: unknown, fields: BlockFields): string {
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : (fields.id ?? '');
}

function dataOf(envelope: JsonObject, event: string, report: OddityReport): JsonObject {
  const data = envelope['data'];
  if (isObject(data)) return data;
  if (data === undefined || data === null || isEmptyList(data)) {
    // a flat event has its data next to its name
    const own =
      envelope['event'] === undefined ? ['id', 'event', 'data', 'type', 'object'] : ['id', 'event', 'data'];
    return Object.fromEntries(Object.entries(envelope).filter(([key]) => !own.includes(key)));
  }
  if (typeof data === 'string') {
    const parsed = parseJson(data);
    return parsed.ok && isObject(parsed.value) ? parsed.value : textData(event, data);
  }
  report('odd-data', envelope);
  return Array.isArray(data) ? { content: data } : { value: data };
}

/** PHP writes an object without fields like this. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * Converts text into a `data` object that the reducers understand.
 * @assumed the interface says that `data` is an object; some services send a delta as a bare string
 */
function textData(event: string, text: string): JsonObject {
  if (text === '') return {};
  if (event === 'message.delta') return { delta: text };
  return event === 'error' || event === 'run.failed' ? { message: text } : { text };
}

function knownName(name: string): string {
  const bare = withoutThreadPrefix(name);
  return isKnownRunEventKind(bare) ? bare : name;
}

/** Removes the `thread.` prefix that some services add. @source seen on the wire */
export function withoutThreadPrefix(name: string): string {
  return name.startsWith('thread.') ? name.slice('thread.'.length) : name;
}
