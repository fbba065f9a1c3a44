import type { ConversationItem, ConversationMessage, ItemAnswer } from '../conversation/index.ts';
import { asObject, nonEmptyString } from '../conversation/read-values.ts';
import type { Fields } from '../conversation/read-values.ts';
import type { AdditionalProperties, ContentItem, Message } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import { merged } from './run-request.ts';
import type { OutgoingMessage } from './session-settings.ts';

/**
 * Creates the message that answers an item: the submission or cancellation of a form, or the text of a chosen option.
 * @source wire, section 7
 */
export function createAnswerMessage(
  asked: ConversationMessage,
  item: ConversationItem,
  answer: ItemAnswer,
  message: Partial<Message> | undefined,
): OutgoingMessage {
  const parentMessageId = asked.messageId;
  if (answer.action === 'choose') {
    const { words, label } = choiceOf(answer.data);
    return { content: words, displayText: label === words ? undefined : label, parentMessageId, message };
  }
  const { source } = item;
  const operation: ContentItem = {
    response_type: 'form_operation',
    id: nonEmptyString(source.id) ?? item.id,
    form_operation: answer.action,
    form_data: { ...asObject(answer.data) },
    ...echoed(source),
  };
  const properties = merged(message?.additional_properties, {
    display_properties: { form_operation: answer.action },
  });
  return {
    content: [operation],
    parentMessageId,
    message: { ...message, additional_properties: properties as AdditionalProperties | undefined }, // laid over its own kind
  };
}

function choiceOf(data: unknown): { readonly words: string; readonly label: string } {
  if (!isObject(data)) return { words: nonEmptyString(data) ?? '', label: nonEmptyString(data) ?? '' };
  const label = nonEmptyString(data['label']) ?? '';
  const value = data['value'];
  const words =
    nonEmptyString(value) ??
    nonEmptyString(asObject(asObject(value)['input'])['text']) ??
    nonEmptyString(data['text']) ??
    label;
  return { words, label: label === '' ? words : label };
}

function echoed(source: Fields): Partial<ContentItem> {
  const keys = ['sub_type', 'event_type', 'dps_payload_id'];
  return Object.fromEntries(keys.flatMap((key) => (source[key] == null ? [] : [[key, source[key]]])));
}
