import type { AdditionalProperties, Mention } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import type { ConversationItem, ConversationMessage } from './conversation.ts';
import { readItems, upsertItem } from './items.ts';
import { asObject, firstString, listOf, nonEmptyString, readText } from './read-values.ts';
import type { Fields } from './read-values.ts';
import { readMessageSteps } from './steps.ts';

/** The fields of a message on the wire. */
export type WireMessage = Pick<
  ConversationMessage,
  | 'messageId'
  | 'role'
  | 'items'
  | 'parentMessageId'
  | 'displayText'
  | 'hidden'
  | 'interim'
  | 'steps'
  | 'connection'
  | 'mentions'
  | 'documentIds'
  | 'additionalProperties'
  | 'messageState'
  | 'clientMessageId'
>;

/**
 * Reads the message in an event's `data`, or a stored message: `data.message` if that is an object, else `data` itself.
 * Every field may be absent, `null` or of the wrong type.
 */
export function readWireMessage(data: Fields): WireMessage {
  const message = isObject(data['message']) ? data['message'] : data;
  const properties = isObject(message['additional_properties'])
    ? message['additional_properties']
    : undefined;
  const display = asObject(properties?.['display_properties']);
  const state = isObject(message['message_state']) ? message['message_state'] : undefined;
  const role = nonEmptyString(message['role']) ?? 'assistant';
  const { steps, items } = readMessageSteps(message, properties);
  return {
    messageId:
      nonEmptyString(message['id']) ??
      firstString(message, 'message_id') ??
      nonEmptyString(data['message_id']),
    role,
    items: items.reduce(upsertItem, contentOf(message)),
    parentMessageId: nonEmptyString(message['parent_message_id']),
    displayText: nonEmptyString(asObject(state?.['input'])['display_text']),
    hidden: isTrue(display['skip_render']) || role === 'tool',
    interim: isTrue(display['is_async']),
    steps,
    connection: readConnection(properties),
    mentions: listOf(message['mentions']).filter(isObject) as Mention[], // open objects; readers check each field
    documentIds: listOf(message['document_ids']).flatMap((id) => nonEmptyString(id) ?? []),
    additionalProperties: properties as AdditionalProperties | undefined, // open object; readers check each field
    messageState: state,
    clientMessageId: nonEmptyString(properties?.['client_message_id']),
  };
}

/** When the service stored a message (`created_on`), in ms since the epoch; undefined if it does not say. */
export function storedTime(message: Fields): number | undefined {
  const time = Date.parse(nonEmptyString(message['created_on']) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/**
 * The fields of a message that a `ConversationMessage` has no property for. They are sent again when the message is.
 * @param ignored further fields to leave out
 */
export function extrasOf(message: Fields, ignored: readonly string[] = []): ConversationMessage['extras'] {
  const extras = Object.entries(message).filter(
    ([key]) => !modelledFields.includes(key) && !ignored.includes(key),
  );
  return extras.length === 0 ? undefined : Object.fromEntries(extras);
}

const modelledFields = [
  'role',
  'content',
  'mentions',
  'document_ids',
  'parent_message_id',
  'additional_properties',
  'message_state',
];

/** Whether a flag is set; some services send it as text. */
function isTrue(value: unknown): boolean {
  return String(value) === 'true';
}

/** Whether the message has content, steps or a connection status. */
export function hasContent(message: WireMessage): boolean {
  return message.items.length > 0 || message.steps.length > 0 || message.connection !== undefined;
}

function contentOf(message: Fields): readonly ConversationItem[] {
  const items = readItems(message['content']);
  if (items.length > 0) return items;
  if (isObject(message['json_schema']) || nonEmptyString(message['response_type']) !== undefined)
    return readItems(message);
  return readItems(readText(message['text'] ?? message['message']));
}

function readConnection(properties: Fields | undefined): ConversationMessage['connection'] {
  const connection = properties?.['svc_connection_status'];
  if (!isObject(connection)) return undefined;
  const status = nonEmptyString(connection['connection_status']) ?? '';
  const message = readText(connection['connection_message']);
  return status === '' && message === '' ? undefined : { status, message };
}
