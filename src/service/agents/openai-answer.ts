import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { isObject } from '../../protocol/json.ts';
import { tooLargePart } from './upstream/bounded-fetch.ts';
import { reportedError } from './upstream/model-refusal.ts';
import { linesOf, parseObject } from './upstream/sse-data.ts';
import { UpstreamError, type UpstreamFault } from './upstream/upstream-error.ts';

/**
 * Reads a chat completion, streamed or whole. The first character decides, not the content type.
 * @param limit longest line, and longest whole answer, in bytes
 * @throws UpstreamError when there is no answer, or the response ends before the answer does
 * @throws AgentFailure when a line exceeds the limit
 */
export async function* readChunks(response: Response, limit: number): AsyncGenerator<ChatCompletionChunk> {
  let hasAnswer = false;
  let finished = false;
  let whole = '';
  const isEnded = (): boolean => finished;
  for await (const line of toleratingReset(linesOf(response, limit), isEnded)) {
    if (whole !== '' || line.startsWith('{')) {
      whole += `${line}\n`;
      if (whole.length > limit) throw tooLargePart(limit);
      continue;
    }
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    if (data === '') continue;
    finished ||= data === '[DONE]';
    if (data === '[DONE]') break;
    const received = parsed(data, hasAnswer ? 'cut' : 'no_answer');
    const part = hasAnswer ? received : streamed(received); // later, a whole message would repeat the answer
    const choice = firstChoice(part);
    hasAnswer ||= choice?.delta != null;
    finished ||= Boolean(choice?.finish_reason);
    const reason: string | null | undefined = choice?.finish_reason;
    // the library's type has no such reason
    if (reason === 'error') throw new UpstreamError('cut', 'upstream ended the answer with an error');
    yield part;
  }
  if (whole !== '') {
    const part = streamed(parsed(whole, 'no_answer'));
    hasAnswer = firstChoice(part)?.delta != null;
    finished = true;
    if (hasAnswer) yield part;
  }
  if (!hasAnswer) {
    const kind = (response.headers.get('content-type') ?? 'no content type').slice(0, 100);
    throw new UpstreamError('no_answer', `upstream answered ${response.status} (${kind}) without an answer`);
  }
  if (!finished) throw new UpstreamError('cut', 'upstream closed the stream before the answer ended');
}

/** Ends when the connection breaks after the end of the answer. */
async function* toleratingReset(
  lines: AsyncIterable<string>,
  isEnded: () => boolean,
): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof TypeError) || !isEnded()) throw error;
  }
}

/** Returns the first of several choices: the one that is shown. */
export function firstChoice(part: ChatCompletionChunk): ChatCompletionChunk.Choice | undefined {
  return part.choices?.find((choice) => !choice?.index);
}

/**
 * Returns the text that a delta adds to the answer and to the reasoning. Some services send lists of parts
 * instead of strings.
 */
export function deltaText(delta: ChatCompletionChunk.Choice.Delta): { words: string; thoughts: string } {
  // Services use one of these names for reasoning, or several for the same; the library's type has none.
  const { reasoning_content, reasoning, reasoning_details } = delta as Readonly<Record<string, unknown>>;
  const content: unknown = delta.content;
  return {
    words: textIn(content, 'text') + textIn(delta.refusal, 'text'),
    thoughts:
      [reasoning_content, reasoning].map((value) => textIn(value, 'text')).find((text) => text !== '') ??
      (textIn(content, 'thinking') || textOfDetails(reasoning_details)),
  };
}

function textOfDetails(details: unknown): string {
  if (!Array.isArray(details)) return '';
  const parts: unknown[] = details.filter(isObject).map((detail) => detail['text'] ?? detail['summary']);
  return parts.filter((text) => typeof text === 'string').join('');
}

/** Returns the text of a value: a string, or the parts of one kind, which may be nested. */
function textIn(value: unknown, kind: 'text' | 'thinking'): string {
  if (typeof value === 'string') return kind === 'text' ? value : '';
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts
    .filter(isObject)
    .map((part) => ((part['type'] ?? kind) === kind ? textIn(part[kind], 'text') : ''))
    .join('');
}

/** Parses one chunk. Fields are unchecked: `UpstreamAnswer` checks each field it reads. */
function parsed(json: string, fault: UpstreamFault): ChatCompletionChunk {
  const part = parseObject(json, fault);
  const isError = part['object'] === 'error'; // vLLM marks errors this way
  if (isError || part['error'] != null) throw errorOf(part, fault);
  return part as unknown as ChatCompletionChunk;
}

/** The error of a response with the status 200. A gateway may name the status that it got itself. */
function errorOf(part: Readonly<Record<string, unknown>>, fault: UpstreamFault): UpstreamError {
  const inner = isObject(part['error']) ? Number(part['error']['code']) : NaN;
  const status = fault === 'no_answer' && inner >= 400 && inner < 600 ? inner : undefined;
  const { message } = reportedError(part);
  if (status !== undefined) return new UpstreamError('status', message, { status });
  const advice = fault === 'no_answer' ? ': check "base_url" and "model"' : '';
  return new UpstreamError(fault, message + advice);
}

/** Converts a whole completion to a single stream chunk. A message has the fields of a delta. */
function streamed(completion: ChatCompletionChunk): ChatCompletionChunk {
  const choices = (completion.choices ?? []).map((choice) => {
    const { message } = choice as { message?: ChatCompletionChunk.Choice.Delta }; // a whole completion has `message` instead of `delta`
    const calls = message?.tool_calls?.map((call, index) => ({ ...call, index }));
    return {
      ...choice,
      delta: choice.delta ?? (message && calls ? { ...message, tool_calls: calls } : message),
    };
  });
  return { ...completion, choices };
}
