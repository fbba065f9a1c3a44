import type { RunEvent } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';

/** The prefix inside this package. @source interface, "Agent Conversation Service Interface" */
const innerPrefix = 'svc_';
/** The identifiers that carry the prefix: keys of `additional_properties`, the second one also a response type. */
const names = ['message', 'connection_status'] as const;

type JsonObject = Record<string, unknown>;

/** Renames the prefixed identifiers at the border: the deployment's word outside, `svc_` inside. */
export interface IdentifierPrefix {
  /** For a message that goes out. Gives the same object when nothing is to be renamed. */
  outgoing<Value>(message: Value): Value;
  /** For a run's request: the message in it. */
  request(body: unknown): unknown;
  /** For a message that comes in. */
  incoming<Value>(message: Value): Value;
  /** For an event that comes in. */
  incomingEvent(event: RunEvent): RunEvent;
}

/** Makes the renaming for one deployment whose prefix is another. */
export function createIdentifierPrefix(prefix: string): IdentifierPrefix {
  const outward = new Map(names.map((name) => [`${innerPrefix}${name}`, `${prefix}${name}`]));
  const inward = new Map(names.map((name) => [`${prefix}${name}`, `${innerPrefix}${name}`]));
  return {
    outgoing: (message) => renamed(message, outward),
    request: (body) => (isObject(body) ? { ...body, message: renamed(body['message'], outward) } : body),
    incoming: (message) => renamed(message, inward),
    incomingEvent: (event) => {
      const data = renamed(event.data, inward);
      return data === event.data ? event : { ...event, data };
    },
  };
}

/** Deeper than any item of a service lies in another. */
const depthLimit = 40;

/** Items lie in cards, in fields of an event, in deltas: whatever is named so is renamed, and nothing else is copied. */
function renamed<Value>(value: Value, table: ReadonlyMap<string, string>, depth = 0): Value {
  if (typeof value !== 'object' || value === null || depth > depthLimit) return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, old]: [string, unknown]): [string, unknown] => {
    const inner = renamed(old, table, depth + 1);
    const now =
      key === 'response_type' && typeof inner === 'string'
        ? (table.get(inner) ?? inner)
        : key === 'additional_properties' && isObject(inner)
          ? renamedKeys(inner, table)
          : inner;
    changed ||= now !== old;
    return [key, now];
  });
  if (!changed) return value;
  // the same shape with other names
  return (Array.isArray(value) ? entries.map(([, now]) => now) : Object.fromEntries(entries)) as Value;
}

function renamedKeys(properties: JsonObject, table: ReadonlyMap<string, string>): JsonObject {
  if (!Object.keys(properties).some((key) => table.has(key))) return properties;
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [table.get(key) ?? key, value]));
}
