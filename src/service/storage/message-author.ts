import type { Message, MessageAuthor } from '../../protocol/index.ts';

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

/** Names the author in a message, whatever the message itself says. */
export function withAuthor<Named extends Message>(message: Named, author: MessageAuthor): Named {
  return { ...message, additional_properties: { ...message.additional_properties, author } };
}
