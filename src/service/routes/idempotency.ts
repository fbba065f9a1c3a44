import { createHash } from 'node:crypto';
import type { Message } from '../../protocol/index.ts';
import { conflict, type Problem } from '../errors/problem.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the sender's id of a message in a storable form; `undefined` when there is none. */
export function clientMessageIdOf(message: Message): string | undefined {
  const id = message.additional_properties?.['client_message_id'];
  return typeof id === 'string' && id !== '' ? storableId(id) : undefined;
}

/** 409 for a sender's id that belongs to another message. @param loc of the message in the request */
export function clientMessageIdInUse(loc: readonly string[]): Problem {
  return conflict(
    [...loc, 'additional_properties', 'client_message_id'],
    'this client_message_id is in use for another message',
  );
}

/** Returns a UUID in lower case, and a hash of any other id, so length and characters do not matter. */
export function storableId(id: string): string {
  return uuid.test(id) ? id.toLowerCase() : `sha256:${createHash('sha256').update(id).digest('base64url')}`;
}

/** Returns the SHA-256 of the content of a message, in base64url. Equal content has the same hash. */
export function hashOfContent(content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalize(content)))
    .digest('base64url');
}

/** Returns the value with sorted keys and without `null` fields, so equal values serialize to equal text. */
export function canonicalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, canonicalize(inner)]),
  );
}
