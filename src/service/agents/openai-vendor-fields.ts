import type { ChatCompletionChunk, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { isObject } from '../../protocol/json.ts';
import type { CallRecord, JsonObject, VendorFields } from '../tools/tool-call.ts';

/**
 * Collects the reasoning that services want back with the calls it led to: DeepSeek refuses a request without its
 * `reasoning_content`, Gemini behind OpenRouter one without its `reasoning_details`.
 */
export class ReasoningFields {
  #content = '';
  readonly #details: Record<string, unknown>[] = [];

  append(delta: ChatCompletionChunk.Choice.Delta): void {
    const { reasoning_content: content, reasoning_details: details } = delta as Record<string, unknown>;
    if (typeof content === 'string') this.#content += content;
    if (Array.isArray(details)) for (const detail of details.filter(isObject)) this.#appendDetail(detail);
  }

  /** Pieces of one detail have its type and index; their texts belong together. */
  #appendDetail(detail: JsonObject): void {
    const last = this.#details.at(-1);
    if (!last || last['type'] !== detail['type'] || last['index'] !== detail['index']) {
      this.#details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const isText = (name === 'text' || name === 'summary') && typeof last[name] === 'string';
      if (value != null) last[name] = isText ? `${String(last[name])}${String(value)}` : value;
    }
  }

  /** `undefined`: the service sent none. */
  fields(): JsonObject | undefined {
    if (this.#content === '' && this.#details.length === 0) return undefined;
    return {
      ...(this.#content === '' ? {} : { reasoning_content: this.#content }),
      ...(this.#details.length === 0 ? {} : { reasoning_details: this.#details }),
    };
  }
}

/** Adds the fields that a service sent with its calls to the messages with these calls. */
export function withVendorFields(
  messages: readonly ChatCompletionMessageParam[],
  calls: readonly CallRecord[],
  source: string,
): ChatCompletionMessageParam[] {
  const kept = new Map<string, VendorFields>();
  for (const { id, vendorFields } of calls) if (vendorFields?.source === source) kept.set(id, vendorFields);
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.tool_calls) return message;
    const fields = message.tool_calls.map(({ id }) => kept.get(id)?.message).find(Boolean);
    const toolCalls = message.tool_calls.map((call) => ({ ...call, ...kept.get(call.id)?.call }));
    return { ...message, ...fields, tool_calls: toolCalls };
  });
}
