import type { Message, MessageAuthor } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';

/** Prefixes of stored authors. A visitor's subject never begins with one. */
export const serverPrefix = 'key:';
export const agentPrefix = 'agent:';

/** Returns how an agent is stored as an author. */
export function storedAgent(agentId: string): string {
  return agentPrefix + agentId;
}

/** Returns who a stored author is. */
export function messageAuthor(author: string): MessageAuthor {
  if (author.startsWith(serverPrefix)) return { kind: 'server', id: author.slice(serverPrefix.length) };
  if (author.startsWith(agentPrefix)) return { kind: 'agent', id: author.slice(agentPrefix.length) };
  return { kind: 'visitor', id: author };
}

/** A person that a message names as its author. Trust it only in a message of a server. */
export function namedPerson(message: Message): { readonly name: string; readonly id: string } | undefined {
  const author = message.additional_properties?.['author'];
  if (!isObject(author) || author['kind'] !== 'person') return undefined;
  const { name, id } = author;
  return { name: typeof name === 'string' ? name.trim() : '', id: typeof id === 'string' ? id : '' };
}

/** Returns who wrote a stored message: its author, or the person for whom a server wrote it. */
export function authorOf(author: string, message: Message): MessageAuthor {
  const sender = messageAuthor(author);
  const person = sender.kind === 'server' ? namedPerson(message) : undefined;
  return person ? { kind: 'person', ...person, server: sender.id } : sender;
}

/** Names the author in a message, whatever the message itself says. */
export function withAuthor<Named extends Message>(message: Named, author: MessageAuthor): Named {
  return { ...message, additional_properties: { ...message.additional_properties, author } };
}
