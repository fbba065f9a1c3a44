import { isObject } from '../../protocol/json.ts';
import type { AgentEvent } from './agent.ts';

/** An event in the normalized form that the rest of the service reads. */
export interface NormalizedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Normalizes the events of an agent: a string becomes a text delta, and each delta has an array of content
 * items.
 * @throws TypeError for a value that is not an event
 */
export async function* normalizeEvents(events: AsyncIterable<AgentEvent>): AsyncGenerator<NormalizedEvent> {
  for await (const event of events) yield normalizeEvent(event);
}

/** Normalizes one event. @throws TypeError for a value that is not an event */
export function normalizeEvent(value: unknown): NormalizedEvent {
  if (typeof value === 'string') return textDelta(value);
  if (!isObject(value) || typeof value['event'] !== 'string' || value['event'] === '') {
    throw new TypeError('an agent yielded a value that is neither a string nor an object with "event"');
  }
  const { event } = value;
  const data = isObject(value['data']) ? value['data'] : {};
  if (event !== 'message.delta') return { event, data };
  const { delta } = data;
  const content = isObject(delta)
    ? (delta['content'] ?? delta['text'])
    : (delta ?? data['content'] ?? data['text'] ?? choiceContent(data['choices']));
  if (Array.isArray(content)) {
    const { content: _content, text: _text, choices: _choices, ...rest } = data;
    const items = content.map(normalizeItem);
    return {
      event,
      data: { ...rest, delta: { role: 'assistant', ...(isObject(delta) ? delta : {}), content: items } },
    };
  }
  return typeof content === 'string' ? textDelta(content) : { event, data };
}

/**
 * Normalizes a text item: text given as a string, as `{value}` or under `content` moves to `text`.
 * @source wire, section 4
 */
function normalizeItem(item: unknown): unknown {
  if (typeof item === 'string') return { response_type: 'text', text: item };
  if (!isObject(item) || typeof item['text'] === 'string') return item;
  if ((item['response_type'] ?? 'text') !== 'text') return item;
  const text = isObject(item['text']) ? item['text']['value'] : (item['text'] ?? item['content']);
  return typeof text === 'string' ? { ...item, text } : item;
}

function choiceContent(choices: unknown): unknown {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = isObject(choice) ? choice['delta'] : undefined;
  return isObject(delta) ? delta['content'] : undefined;
}

/**
 * Returns a text delta as JSON. This is the most frequent event, so it skips `JSON.stringify` for the whole
 * object.
 */
export function textDeltaJson(text: string): string {
  return `{"delta":{"role":"assistant","content":[{"id":"1","response_type":"text","text":${JSON.stringify(text)}}]}}`;
}

function textDelta(text: string): NormalizedEvent {
  const content = [{ id: '1', response_type: 'text', text }];
  return { event: 'message.delta', data: { delta: { role: 'assistant', content } } };
}
