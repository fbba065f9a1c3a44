import type { ConversationItem } from '../../../conversation/conversation.ts';
import type { Message } from '../../../protocol/index.ts';
import { formAnswer } from '../../../session/answer-message.ts';
import type { Fields } from '../read-item.ts';

/**
 * The message that decides: a form's answer with the visitor's reason. It is not shown, because the card itself shows
 * what was decided.
 * @param reason to decline; `''`: none
 */
export function decisionAnswer(
  item: ConversationItem,
  action: 'submit' | 'cancel',
  { data, reason = '' }: { readonly data: Fields; readonly reason?: string },
): Partial<Message> {
  const { content } = formAnswer(item, action, data);
  const operations = Array.isArray(content) ? content : [];
  return {
    content: operations.map((operation) => (reason ? { ...operation, reason } : operation)),
    additional_properties: { display_properties: { form_operation: action, skip_render: true } },
  };
}
