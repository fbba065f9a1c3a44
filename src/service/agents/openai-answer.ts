import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { isObject } from '../../protocol/json.ts';
import { tooLargePart } from './upstream/bounded-fetch.ts';
import { errorCode } from './upstream/model-refusal.ts';
import { linesOf, parseObject } from './upstream/sse-data.ts';
import { UpstreamError, type UpstreamFault } from './upstream/upstream-error.ts';

/**
 * Reads a chat completion, streamed or whole. The first character decides, not the content type.
 * @param limit longest line, and longest whole answer, in bytes
 * @throws UpstreamError when there is no answer, or the response ends before the answer does
 * @throws AgentFailure when a line exceeds the limit
 */
export async function* readChunks(response: Response, limit: number): AsyncGenerator<ChatCompletionChunk> {
  let any = false;
  let finished = false;
  let whole = '';
  for await (const line of linesOf(response, limit)) {
    if (whole !== '' || line.startsWith('{')) {
      whole += `${line}\n`;
      if (whole.length > limit) throw tooLargePart(limit);
      continue;
    }
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    finished ||= data === '[DONE]';
    if (data === '[DONE]') break;
    const part = parsed(data, any ? 'cut' : 'no_answer');
    const choice = firstChoice(part);
    any ||= choice?.delta != null;
    finished ||= choice?.finish_reason != null;
    yield part;
  }
  if (whole !== '') {
    const part = streamed(parsed(whole, 'no_answer'));
    any = part.choices[0]?.delta != null;
    finished = true;
    if (any) yield part;
  }
  if (!any) {
    const kind = (response.headers.get('content-type') ?? 'no content type').slice(0, 100);
    throw new UpstreamError('no_answer', `upstream answered ${response.status} (${kind}) without an answer`);
  }
  if (!finished) throw new UpstreamError('cut', 'upstream closed the stream before the answer ended');
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
  // Services use one of these two names for reasoning; the library's type has neither.
  const { reasoning_content, reasoning } = delta as { reasoning_content?: unknown; reasoning?: unknown };
  const content: unknown = delta.content;
  return {
    words: textIn(content, 'text') + textIn(delta.refusal, 'text'),
    thoughts: textIn(reasoning_content, 'text') || textIn(reasoning, 'text') || textIn(content, 'thinking'),
  };
}

/** Returns the text of a value: a string, or the parts of one kind in a list, which may be nested. */
function textIn(value: unknown, kind: 'text' | 'thinking'): string {
  if (typeof value === 'string') return kind === 'text' ? value : '';
  if (!Array.isArray(value)) return '';
  return value
    .map((part: unknown) => (isObject(part) && part['type'] === kind ? textIn(part[kind], 'text') : ''))
    .join('');
}

/** Parses one chunk. Fields are unchecked: `UpstreamAnswer` checks each field it reads. */
function parsed(json: string, fault: UpstreamFault): ChatCompletionChunk {
  const part = parseObject(json, fault);
  const isError = part['object'] === 'error'; // vLLM marks errors this way
  if (isError || part['error'] != null) throw new UpstreamError(fault, describe(part, fault));
  return part as unknown as ChatCompletionChunk;
}

function describe(error: Readonly<Record<string, unknown>>, fault: UpstreamFault): string {
  const code = errorCode(error);
  const advice = fault === 'no_answer' ? ': check "base_url" and "model"' : '';
  return `upstream reported an error${code === undefined ? '' : ` (${code})`} instead of an answer${advice}`;
}

/** Converts a whole completion to a single stream chunk. A message has the fields of a delta. */
function streamed(completion: ChatCompletionChunk): ChatCompletionChunk {
  const choices = (completion.choices ?? []).map((choice) => {
    const { message } = choice as { message?: ChatCompletionChunk.Choice.Delta }; // a whole completion has `message` instead of `delta`
    const calls = message?.tool_calls?.map((call, index) => ({ ...call, index }));
    return {
      ...choice,
      delta: (message && calls ? { ...message, tool_calls: calls } : message) ?? choice.delta,
    };
  });
  return { ...completion, choices };
}
