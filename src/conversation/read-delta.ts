import { isObject } from '../protocol/json.ts';
import { asObject, nonEmptyString } from './read-values.ts';
import type { Fields } from './read-values.ts';

/**
 * The content of a `message.delta`, in any form that services send. The first of these counts: `delta` as a string,
 * `delta.content` (array or string), `delta` as an item, `delta.text`, `content`, `choices[0].delta.content`, `text`.
 * Undefined if there is none.
 * @source wire, section 4
 */
export function deltaContent(data: Fields): unknown {
  const { delta } = data;
  if (typeof delta === 'string') return delta;
  if (isObject(delta)) {
    if (delta['content'] != null) return delta['content'];
    if (delta['response_type'] != null || isObject(delta['json_schema'])) return delta;
    if (delta['text'] != null) return [{ response_type: 'text', text: delta['text'] }];
  }
  if (data['content'] != null) return data['content'];
  const choice: unknown = Array.isArray(data['choices']) ? data['choices'][0] : undefined;
  const choiceContent = asObject(asObject(choice)['delta'])['content'];
  if (choiceContent != null) return choiceContent;
  if (data['text'] != null) return [{ response_type: 'text', text: data['text'] }];
  return undefined;
}

/** The role that a delta names; default `assistant`. */
export function deltaRole(data: Fields): string {
  return nonEmptyString(asObject(data['delta'])['role']) ?? 'assistant';
}
