import { createHash } from 'node:crypto';
import type { Message } from '../../protocol/index.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the sender's id of a message in a storable form; `undefined` when there is none. */
export function clientMessageIdOf(message: Message): string | undefined {
  const id = message.additional_properties?.['client_message_id'];
  return typeof id === 'string' && id !== '' ? storableId(id) : undefined;
}

/** Returns a UUID in lower case, and a hash of any other id, so length and characters do not matter. */
export function storableId(id: string): string {
  return uuid.test(id) ? id.toLowerCase() : `sha256:${createHash('sha256').update(id).digest('base64url')}`;
}
