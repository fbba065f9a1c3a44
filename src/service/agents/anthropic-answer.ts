import type {
  ContentBlockParam,
  RawMessageStreamEvent,
  TextCitation,
} from '@anthropic-ai/sdk/resources/messages';
import { isObject } from '../../protocol/json.ts';
import type { RequestedCall } from '../tools/tool-call.ts';
import type { AgentEvent } from './agent.ts';
import { builtInEnded, builtInStarted } from './built-in-steps.ts';
import type { CitedText } from './cited-text.ts';
import type { ModelAnswer } from './model-report.ts';
import { reportedError } from './upstream/model-refusal.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

/** A content block as it grows. Its members are checked before use. */
interface OpenBlock extends Record<string, unknown> {
  type: string;
  /** Where its text starts in the answer. */
  start: number;
  /** Pieces of the input of a tool. */
  json: string;
}

/** What the API counts of the input, each apart. */
const inputCounts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

/** Reads one answer of the Messages API. */
export class AnthropicAnswer {
  readonly #text: CitedText;
  readonly #showDetails: boolean;
  readonly #blocks = new Map<number, OpenBlock>();
  #model: string | undefined;
  #stopReason: string | undefined;
  readonly #tokens = new Map<string, number>();
  #length = 0;
  #isComplete = false;
  #hasText = false;

  /** @param text collects the text of all answers of the run */
  constructor(text: CitedText, { showDetails }: { readonly showDetails: boolean }) {
    this.#text = text;
    this.#showDetails = showDetails;
  }

  /**
   * Adds a part to the answer, and yields its events.
   * @throws UpstreamError when upstream reports an error
   */
  *apply(data: Readonly<Record<string, unknown>>): Generator<AgentEvent> {
    if (data['type'] === 'error') throw reportedError(data);
    // services in this API's style omit fields, contrary to the library's type
    const event = data as unknown as RawMessageStreamEvent;
    switch (event.type) {
      case 'message_start':
        this.#model = event.message?.model;
        return this.#count(event.message?.usage, inputCounts); // of the output, it has the first token
      case 'content_block_start':
        return yield* this.#start(event.index, { ...event.content_block } as Record<string, unknown>);
      case 'content_block_delta':
        return yield* this.#extend(this.#blocks.get(event.index), event.delta as unknown as OpenBlock);
      case 'content_block_stop':
        return yield* this.#end(this.#blocks.get(event.index));
      case 'message_delta':
        this.#stopReason = event.delta?.stop_reason ?? this.#stopReason;
        return this.#count(event.usage, ['output_tokens', ...inputCounts]);
      case 'message_stop':
        this.#isComplete = true;
        return;
      default:
      // a kind that this version does not know, like ping
    }
  }

  *#start(index: number, block: Record<string, unknown>): Generator<AgentEvent> {
    const type = typeof block['type'] === 'string' ? block['type'] : '';
    const before = [...this.#blocks].filter(([other]) => other < index);
    if (type === 'thinking' && before.some(([, one]) => one.type === type))
      yield { event: 'run.step.thinking', data: { thinking: '\n\n' } };
    this.#blocks.set(index, { ...block, type, start: this.#text.length, json: '' });
    if (type === 'text' && typeof block['text'] === 'string') yield* this.#addText(block['text']);
    const result = type.endsWith('_tool_result') ? block : undefined;
    if (result) {
      const id = String(result['tool_use_id']);
      const call = { id, name: type.slice(0, -'_tool_result'.length) };
      const { content } = result;
      const isError = isObject(content) && String(content['type']).endsWith('_error');
      yield* builtInEnded(call, {
        result: resultText(content),
        isError,
        showDetails: this.#showDetails,
      });
    }
  }

  *#extend(block: OpenBlock | undefined, delta: OpenBlock): Generator<AgentEvent> {
    if (!block) return;
    const piece = (name: string): string => textIn(delta, name);
    switch (delta.type) {
      case 'text_delta':
        block['text'] = `${textIn(block, 'text')}${piece('text')}`;
        return yield* this.#addText(piece('text'));
      case 'thinking_delta':
        block['thinking'] = `${textIn(block, 'thinking')}${piece('thinking')}`;
        this.#length += piece('thinking').length;
        yield { event: 'run.step.thinking', data: { thinking: piece('thinking') } };
        return;
      case 'signature_delta':
        block['signature'] = piece('signature');
        return;
      case 'input_json_delta':
        block.json += piece('partial_json');
        return;
      case 'citations_delta':
        if (!isObject(delta['citation'])) return;
        block['citations'] = [
          ...(Array.isArray(block['citations']) ? block['citations'] : []),
          delta['citation'],
        ];
        return this.#cite(block, delta['citation'] as unknown as TextCitation);
      default:
    }
  }

  *#end(block: OpenBlock | undefined): Generator<AgentEvent> {
    if (block?.type !== 'server_tool_use') return;
    const call = { id: String(block['id']), name: String(block['name']), args: inputOf(block) };
    yield* builtInStarted(call, { showDetails: this.#showDetails });
  }

  *#addText(text: string): Generator<AgentEvent> {
    if (text === '') return;
    this.#hasText = true;
    this.#length += text.length;
    this.#text.append(text);
    yield text;
  }

  /** Takes the tokens so far: those of the input grow with what the vendor's own tools find. */
  #count(usage: unknown, names: readonly string[]): void {
    if (!isObject(usage)) return;
    for (const name of names) {
      const count = usage[name];
      if (typeof count === 'number') this.#tokens.set(name, Math.max(count, this.#tokens.get(name) ?? 0));
    }
  }

  #cite(block: OpenBlock, citation: TextCitation): void {
    const { cited_text: text } = citation;
    const isWeb = citation.type === 'web_search_result_location';
    const url = isWeb
      ? citation.url
      : citation.type === 'search_result_location'
        ? citation.source
        : undefined;
    const named = 'title' in citation ? citation.title : citation.document_title;
    this.#text.cite({ title: named ?? url ?? '', text, ...(url === undefined ? {} : { url }) }, block.start);
  }

  /** Whether the vendor paused the answer: it continues when its own blocks are sent back. */
  get isPaused(): boolean {
    return this.#stopReason === 'pause_turn';
  }

  /** @throws UpstreamError when the answer ended without text, and without tool calls if they suffice */
  check({ callsSuffice }: { readonly callsSuffice: boolean }): void {
    if (!this.#isComplete)
      throw new UpstreamError('cut', 'upstream closed the stream before the answer ended');
    if (this.#hasText || this.isPaused || (callsSuffice && this.requestedCalls().length > 0)) return;
    throw UpstreamError.withoutAnswer(this.#stopReason);
  }

  requestedCalls(): readonly (RequestedCall & { readonly id: string })[] {
    return [...this.#blocks.values()]
      .filter(({ type }) => type === 'tool_use')
      .map((block) => ({ id: String(block['id']), name: String(block['name']), args: inputOf(block) }));
  }

  /** All blocks, as a request must repeat them: complete and in their order. The API rejects empty text. */
  blocks(): readonly ContentBlockParam[] {
    const kept = [...this.#blocks.values()].filter(
      (one) => one.type !== 'text' || textIn(one, 'text').trim() !== '',
    );
    return kept.map(({ start: _start, json: _json, ...block }) => {
      const input = block.type.endsWith('tool_use') ? { input: inputOf({ ...block, json: _json }) } : {};
      return { ...block, ...input } as unknown as ContentBlockParam; // as upstream sent it
    });
  }

  report(): ModelAnswer {
    const counts = inputCounts.flatMap((name) => this.#tokens.get(name) ?? []);
    return {
      model: this.#model,
      finishReason: this.#stopReason,
      inputTokens: counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count),
      outputTokens: this.#tokens.get('output_tokens'),
      length: this.#length,
    };
  }
}

function textIn(block: OpenBlock, name: string): string {
  return typeof block[name] === 'string' ? block[name] : '';
}

function inputOf({ json, input }: { readonly json: string; readonly input?: unknown }): unknown {
  if (json === '') return input ?? {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Titles and addresses of what a vendor's tool found; else its result as JSON. */
function resultText(content: unknown): string {
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  const lines = content.map((one: unknown) =>
    isObject(one) && typeof one['url'] === 'string'
      ? `${typeof one['title'] === 'string' ? one['title'] : ''} ${one['url']}`.trim()
      : JSON.stringify(one),
  );
  return lines.join('\n');
}
