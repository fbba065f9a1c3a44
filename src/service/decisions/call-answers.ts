import { toolApproval, type ContentItem, type Message } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';

/** An item of a message that answers a call. */
export interface CallAnswer {
  /** `form`: the answer to any form, which may be a decision or the answer to a server's question. */
  readonly kind: 'decision' | 'form' | 'page-tool';
  /** The call's id. */
  readonly id: string;
  readonly item: ContentItem;
  /** Place of the item in the request. */
  readonly loc: readonly string[];
  /** Place of the id in the request. */
  readonly idLoc: readonly string[];
}

/** Returns the items of a message that may answer calls. */
export function answersIn(content: Message['content']): readonly CallAnswer[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((item, index): CallAnswer[] => {
    const loc = ['body', 'message', 'content', String(index)];
    const { id: callId } = pageFields(item, 'page_tool_result');
    if (typeof callId === 'string')
      return [{ kind: 'page-tool', id: callId, item, loc, idLoc: [...loc, 'user_defined', 'id'] }];
    const { id } = item;
    if (item.form_operation == null || id == null) return [];
    const kind = item.sub_type === toolApproval ? 'decision' : 'form';
    return [{ kind, id, item, loc, idLoc: [...loc, 'id'] }];
  });
}

/** Whether an item of an agent's message asks for what an answer answers. */
export function asksFor(item: ContentItem, { kind, id }: CallAnswer): boolean {
  return kind === 'page-tool'
    ? pageFields(item, 'page_tool_call')['id'] === id
    : item.sub_type === toolApproval && item.id === id;
}

/** The `user_defined` of an item if it has a type, else an empty object. */
export function pageFields(
  item: ContentItem,
  type: 'page_tool_call' | 'page_tool_result',
): Readonly<Record<string, unknown>> {
  const fields = item['user_defined'];
  return isObject(fields) && fields['type'] === type ? fields : {};
}
