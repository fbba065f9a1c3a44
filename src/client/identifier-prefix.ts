import type { RunEvent } from '../protocol/index.ts';
import { isObject } from './framing/parse-json.ts';

/** The prefix inside this package. @source interface, "Agent Conversation Service Interface" */
const innerPrefix = 'svc_';
/** The identifiers that carry the prefix: keys of `additional_properties`, the second one also a response type. */
const names = ['message', 'connection_status'] as const;

type JsonObject = Record<string, unknown>;

/** Renames the prefixed identifiers at the border: the deployment's word outside, `svc_` inside. */
export interface IdentifierPrefix {
  /** For a message that goes out. Gives the same object when nothing is to be renamed. */
  outgoing<Value>(message: Value): Value;
  /** For a message that comes in. */
  incoming<Value>(message: Value): Value;
  /** For an event that comes in. */
  incomingEvent(event: RunEvent): RunEvent;
}

/** Makes the renaming for one deployment. With `svc_` itself everything passes untouched. */
export function createIdentifierPrefix(prefix: string): IdentifierPrefix {
  if (prefix === innerPrefix) {
    return {
      outgoing: (message) => message,
      incoming: (message) => message,
      incomingEvent: (event) => event,
    };
  }
  const outward = new Map(names.map((name) => [`${innerPrefix}${name}`, `${prefix}${name}`]));
  const inward = new Map(names.map((name) => [`${prefix}${name}`, `${innerPrefix}${name}`]));
  return {
    outgoing: (message) => renameMessage(message, outward),
    incoming: (message) => renameMessage(message, inward),
    incomingEvent: (event) => {
      const data = renameData(event.data, inward);
      return data === event.data ? event : { ...event, data };
    },
  };
}

/** Messages live in `data.message`; some events are themselves message-like, and deltas hold content. */
function renameData(data: JsonObject, table: ReadonlyMap<string, string>): JsonObject {
  const renamed = renameMessage(data, table);
  const inner = Object.entries(renamed)
    .filter(([key]) => key === 'message' || key === 'delta')
    .map(([key, value]) => ({ key, value, now: renameMessage(value, table) }))
    .filter(({ value, now }) => value !== now);
  if (inner.length === 0) return renamed;
  return { ...renamed, ...Object.fromEntries(inner.map(({ key, now }) => [key, now])) };
}

function renameMessage<Value>(message: Value, table: ReadonlyMap<string, string>): Value {
  if (!isObject(message)) return message;
  const { additional_properties: properties, content } = message;
  const newProperties = isObject(properties) ? renameKeys(properties, table) : properties;
  const newContent = Array.isArray(content) ? renameTypes(content, table) : content;
  if (newProperties === properties && newContent === content) return message;
  return {
    ...message,
    ...(newProperties !== properties && { additional_properties: newProperties }),
    ...(newContent !== content && { content: newContent }),
  };
}

function renameKeys(properties: JsonObject, table: ReadonlyMap<string, string>): JsonObject {
  if (!Object.keys(properties).some((key) => table.has(key))) return properties;
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [table.get(key) ?? key, value]));
}

function renameTypes(content: readonly unknown[], table: ReadonlyMap<string, string>): readonly unknown[] {
  const renamed = content.map((item) => {
    const type = isObject(item) ? item['response_type'] : undefined;
    const other = typeof type === 'string' ? table.get(type) : undefined;
    return isObject(item) && other !== undefined ? { ...item, response_type: other } : item;
  });
  return renamed.some((item, index) => item !== content[index]) ? renamed : content;
}
