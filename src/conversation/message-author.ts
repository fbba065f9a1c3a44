import type { ConversationMessage } from './conversation.ts';
import { asObject, nonEmptyString } from './read-values.ts';

/**
 * Name of the person who wrote a message on the agent's side, such as a colleague at a help desk. `undefined` for
 * visitors and machines.
 */
export function personOf({
  additionalProperties,
}: Pick<ConversationMessage, 'additionalProperties'>): string | undefined {
  const author = asObject(additionalProperties?.['author']);
  return author['kind'] === 'person' ? nonEmptyString(author['name']) : undefined;
}
