import type { ConversationItem } from '../../../conversation/conversation.ts';
import type { Message } from '../../../protocol/index.ts';
import { isObject } from '../../../protocol/json.ts';
import { text } from '../read-item.ts';

/** Fields by which the agent identifies the form; returned unchanged. */
const echoed = ['sub_type', 'event_type', 'dps_payload_id'] as const;

/**
 * Builds the message that answers a form. `form_data` is always an object: a value that is none is sent as
 * `{"value": …}`, an empty answer as `{}`.
 * @source wire, section 7; the wrapping is @assumed
 */
export function formOperation(
  form: ConversationItem,
  operation: 'submit' | 'cancel',
  data: unknown,
): Partial<Message> {
  const { source } = form;
  const echo = Object.fromEntries(echoed.flatMap((key) => (text(source[key]) ? [[key, source[key]]] : [])));
  return {
    content: [
      {
        ...echo,
        response_type: 'form_operation',
        id: text(source.id, 1000) || form.id,
        form_operation: operation,
        form_data: isObject(data) ? data : data === undefined ? {} : { value: data },
      },
    ],
    additional_properties: { display_properties: { form_operation: operation } },
  };
}
