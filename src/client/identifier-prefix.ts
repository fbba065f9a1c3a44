import type { RunEvent } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';

/** The prefix inside this package. @source interface, "Agent Conversation Service Interface" */
const innerPrefix = 'svc_';
/** The prefixed identifiers: keys of `additional_properties`. The second one is also a response type. */
const names = ['message', 'connection_status'] as const;

type JsonObject = Record<string, unknown>;

/** Renames the prefixed identifiers: requests and responses use the deployment's prefix, our code uses `svc_`. */
export interface IdentifierPrefix {
  /** Renames in a message to be sent. Returns the same object when there is nothing to rename. */
  outgoing<Value>(message: Value): Value;
  /** Renames in the message of a run request. */
  request(body: unknown): unknown;
  /** Renames in a received message. */
  incoming<Value>(message: Value): Value;
  /** Renames in a received event. */
  incomingEvent(event: RunEvent): RunEvent;
}

/** Creates the renaming for a deployment with a prefix other than `svc_`. */
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

/** Maximum depth of the search; no service nests items this deep. */
const depthLimit = 40;

/** Renames the identifiers at any depth, because items occur in cards, deltas and events. Copies only what changes. */
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
  // the same shape, with other names
  return (Array.isArray(value) ? entries.map(([, now]) => now) : Object.fromEntries(entries)) as Value;
}

function renamedKeys(properties: JsonObject, table: ReadonlyMap<string, string>): JsonObject {
  if (!Object.keys(properties).some((key) => table.has(key))) return properties;
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [table.get(key) ?? key, value]));
}
