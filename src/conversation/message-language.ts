import type { ConversationMessage } from './conversation.ts';
import { nonEmptyString } from './read-values.ts';

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
