import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { isObject } from '../../protocol/json.ts';
import { parseArguments, type RequestedCall } from '../tools/tool-call.ts';
import { mediaItem } from '../tools/tool-result.ts';
import type { AgentEvent } from './agent.ts';
import { builtInEnded, builtInStarted } from './built-in-steps.ts';
import type { CitedText } from './cited-text.ts';
import type { ModelAnswer } from './model-report.ts';
import { reportedError } from './upstream/model-refusal.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

/** A loose object from upstream. Services in this API's style omit fields, so each is checked before use. */
type Fields = Readonly<Record<string, unknown>>;

/** Reads one answer of the Responses API. */
export class ResponsesAnswer {
  readonly #text: CitedText;
  readonly #showDetails: boolean;
  readonly #calls: (RequestedCall & { readonly id: string })[] = [];
  readonly #reasoning: ResponseInputItem[] = [];
  /** Where the text of each part starts in the answer, by `partKey`. */
  readonly #starts = new Map<string, number>();
  #lastItem: unknown;
  #response: Fields = {};
  #isComplete = false;
  #hasText = false;
  #hasImage = false;
  #hasReasoning = false;
  #length = 0;
  readonly #warn: (text: string) => void;

  /**
   * @param text collects the text of all answers of the run
   * @param options.warn logs what was left out of the answer
   */
  constructor(
    text: CitedText,
    { showDetails, warn }: { readonly showDetails: boolean; readonly warn: (text: string) => void },
  ) {
    this.#text = text;
    this.#showDetails = showDetails;
    this.#warn = warn;
  }

  /**
   * Adds a part to the answer, and yields its events.
   * @throws UpstreamError when upstream reports an error
   */
  *apply(event: Fields): Generator<AgentEvent> {
    const { type } = event;
    const delta = typeof event['delta'] === 'string' ? event['delta'] : '';
    if (isObject(event['response'])) this.#response = event['response'];
    switch (type) {
      case 'error':
      case 'response.failed':
        throw reportedError(type === 'error' ? event : event['response']);
      case 'response.completed':
      case 'response.incomplete':
        this.#isComplete = true;
        return;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return yield* this.#addText(delta, event);
      case 'response.reasoning_summary_part.added':
        if (this.#hasReasoning) yield thinking('\n\n');
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#hasReasoning ||= delta !== '';
        this.#length += delta.length;
        if (delta !== '') yield thinking(delta);
        return;
      case 'response.output_text.annotation.added':
        return this.#cite(event['annotation'], event);
      case 'response.output_item.added':
        if (isObject(event['item']) && isBuiltIn(event['item']))
          yield* builtInStarted(callOf(event['item']), { showDetails: this.#showDetails });
        return;
      case 'response.output_item.done':
        if (isObject(event['item'])) yield* this.#endItem(event['item']);
        return;
      default:
    }
  }

  *#endItem(item: Fields): Generator<AgentEvent> {
    if (item['type'] === 'function_call') {
      const { call_id: id, name } = item;
      this.#calls.push({ id: String(id), name: String(name), args: parseArguments(item['arguments']) });
    } else if (item['type'] === 'reasoning') {
      // without its encrypted content, the vendor accepts an item only if it stored the answer itself
      if (typeof item['encrypted_content'] === 'string')
        this.#reasoning.push(item as unknown as ResponseInputItem);
    } else if (item['type'] === 'message') {
      for (const [index, part] of listOf(item['content']).entries())
        for (const annotation of listOf(part['annotations']))
          this.#cite(annotation, { item_id: item['id'], content_index: index });
    } else if (isBuiltIn(item)) {
      const isError = item['status'] === 'failed' || item['error'] != null;
      const result = resultText(item);
      yield* builtInEnded(callOf(item), { result, isError, showDetails: this.#showDetails });
      if (item['type'] === 'image_generation_call') yield* this.#addImage(item);
    }
  }

  *#addImage({ id, result, output_format: format, revised_prompt: prompt }: Fields): Generator<AgentEvent> {
    if (typeof result !== 'string' || result === '') return;
    const mimeType = `image/${typeof format === 'string' ? format : 'png'}`;
    const item = mediaItem({ mimeType, data: result });
    if (!item)
      return this.#warn(
        'a picture was left out: PNG, JPEG, GIF and WebP up to 1.5 MB of base64 are shown; see "output_format" and "quality" of the tool',
      );
    this.#hasImage = true;
    const content = [
      { id: String(id), ...item, ...(typeof prompt === 'string' ? { alt_text: prompt } : {}) },
    ];
    yield { event: 'message.delta', data: { delta: { role: 'assistant', content } } };
  }

  *#addText(text: string, event: Fields): Generator<AgentEvent> {
    if (text === '') return;
    const isNewItem = this.#hasText && event['item_id'] !== this.#lastItem;
    this.#lastItem = event['item_id'];
    const delta = isNewItem ? `\n\n${text}` : text;
    this.#text.append(delta);
    this.#length += text.length;
    const key = partKey(event);
    if (!this.#starts.has(key)) this.#starts.set(key, this.#text.length - text.length);
    this.#hasText = true;
    yield delta;
  }

  /** Adds a source. Positions are relative to their part of the text. */
  #cite(annotation: unknown, event: Fields): void {
    if (!isObject(annotation)) return;
    const { title, filename, url, start_index: from, end_index: to } = annotation;
    const name = [title, filename, url].find((text) => typeof text === 'string' && text !== '');
    if (typeof name !== 'string') return;
    const start = this.#starts.get(partKey(event)) ?? 0;
    const isRange = typeof from === 'number' && typeof to === 'number';
    const range = isRange ? ([start + from, start + to] as const) : ([start, this.#text.length] as const);
    this.#text.cite({ title: name, ...(typeof url === 'string' ? { url } : {}) }, ...range);
  }

  /** @throws UpstreamError when the answer ended without text, and without tool calls if they suffice */
  check({ callsSuffice }: { readonly callsSuffice: boolean }): void {
    if (!this.#isComplete)
      throw new UpstreamError('cut', 'upstream closed the stream before the answer ended');
    if (this.#hasText || this.#hasImage || (callsSuffice && this.#calls.length > 0)) return;
    throw UpstreamError.withoutAnswer(this.#endReason());
  }

  requestedCalls(): readonly (RequestedCall & { readonly id: string })[] {
    return this.#calls;
  }

  /** The reasoning that the next request sends back to the model. */
  reasoning(): readonly ResponseInputItem[] {
    return this.#reasoning;
  }

  report(): ModelAnswer {
    const usage = isObject(this.#response['usage']) ? this.#response['usage'] : {};
    const { model } = this.#response;
    const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
    return {
      model: typeof model === 'string' ? model : undefined,
      finishReason: this.#endReason(),
      inputTokens: numberOf(usage['input_tokens']),
      outputTokens: numberOf(usage['output_tokens']),
      length: this.#length,
    };
  }

  #endReason(): string | undefined {
    const { incomplete_details: details, status } = this.#response;
    const reason = isObject(details) ? details['reason'] : status;
    return typeof reason === 'string' ? reason : undefined;
  }
}

function thinking(text: string): AgentEvent {
  return { event: 'run.step.thinking', data: { thinking: text } };
}

/** Whether the vendor executes the call: `web_search_call`, `file_search_call`, `mcp_call` and others. */
function isBuiltIn({ type }: Fields): boolean {
  return typeof type === 'string' && type.endsWith('_call') && type !== 'function_call';
}

function callOf(item: Fields): { id: string; name: string; args?: unknown } {
  const own = typeof item['name'] === 'string' ? item['name'] : undefined;
  const args = item['action'] ?? item['queries'] ?? item['arguments'] ?? item['code'];
  return {
    id: String(item['id']),
    name: own ?? String(item['type']).replace(/_call$/, ''),
    ...(args == null ? {} : { args: parseArguments(args) }),
  };
}

function resultText(item: Fields): string {
  const result = item['output'] ?? item['results'] ?? item['outputs'] ?? item['error'] ?? item['action'];
  if (typeof result === 'string') return result;
  return result == null ? '' : JSON.stringify(result);
}

function partKey(event: Fields): string {
  return `${String(event['item_id'])} ${String(event['content_index'] ?? 0)}`;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
