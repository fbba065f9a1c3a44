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

/**
 * Language of a message as a BCP 47 tag, from `additional_properties.language`. `undefined` if the agent does not say,
 * or says something else.
 * @assumed the interface has no language
 */
export function languageOf({
  additionalProperties,
}: Pick<ConversationMessage, 'additionalProperties'>): string | undefined {
  const language = nonEmptyString(additionalProperties?.['language']);
  return language && /^[a-z]{2,3}(-[a-z\d]{2,8}){0,4}$/i.test(language) ? language : undefined;
}
