import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

/** What upstream sent is no answer, or only the beginning of one. The message is for the log: no word of the answer. */
export class InvalidAnswerError extends Error {
  override readonly name = 'BadAnswer';
  readonly reason: 'no_answer' | 'cut';

  constructor(reason: 'no_answer' | 'cut', message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Reads a chat completion, streamed or whole: its first character tells, the content type does not.
 * @throws BadAnswer when it holds no part of an answer, or ends before the answer does.
 */
export async function* readChunks(response: Response): AsyncGenerator<ChatCompletionChunk> {
  let any = false;
  let finished = false;
  let whole = '';
  for await (const line of linesOf(response)) {
    if (whole !== '' || line.startsWith('{')) {
      whole += `${line}\n`;
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
    throw new InvalidAnswerError(
      'no_answer',
      `upstream answered ${response.status} (${kind}) without an answer`,
    );
  }
  if (!finished) throw new InvalidAnswerError('cut', 'upstream closed the stream before the answer ended');
}

/** Lines as they end, without blank ones. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split(/[\r\n]+/); // fetch gives bytes
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/** The answer that is shown, where a service was told to give several. */
export function firstChoice(part: ChatCompletionChunk): ChatCompletionChunk.Choice | undefined {
  return part.choices?.find((choice) => !choice?.index);
}

/** What a delta adds to the answer, and to what the model thinks aloud: texts, or lists of parts as some services send. */
export function deltaText(delta: ChatCompletionChunk.Choice.Delta): { words: string; thoughts: string } {
  // Services that stream reasoning do so under one of these names; the library's type has neither.
  const { reasoning_content, reasoning } = delta as { reasoning_content?: unknown; reasoning?: unknown };
  const content: unknown = delta.content;
  return {
    words: textIn(content, 'text') + textIn(delta.refusal, 'text'),
    thoughts: textIn(reasoning_content, 'text') || textIn(reasoning, 'text') || textIn(content, 'thinking'),
  };
}

/** The text of a value: itself, or of the parts of one kind in a list, whose text may be such a list again. */
function textIn(value: unknown, kind: 'text' | 'thinking'): string {
  if (typeof value === 'string') return kind === 'text' ? value : '';
  if (!Array.isArray(value)) return '';
  return value
    .map((part: unknown) => {
      if (typeof part !== 'object' || part === null || Reflect.get(part, 'type') !== kind) return '';
      return textIn(Reflect.get(part, kind), 'text');
    })
    .join('');
}

/** Only what is read of it is sure to be as it should: see `UpstreamAnswer`. */
function parsed(json: string, reason: InvalidAnswerError['reason']): ChatCompletionChunk {
  let part: unknown;
  try {
    part = JSON.parse(json);
  } catch {
    // The parser's own words quote the answer.
    throw new InvalidAnswerError(reason, 'upstream sent something that is no JSON');
  }
  if (typeof part !== 'object' || part === null)
    throw new InvalidAnswerError(reason, 'upstream sent no object');
  const isError = 'object' in part && part.object === 'error'; // as vLLM says it, without a member for it
  if (isError || ('error' in part && part.error != null))
    throw new InvalidAnswerError(reason, 'upstream reported an error in the place of an answer');
  return part as ChatCompletionChunk;
}

/** A completion that came whole, as the one part of a stream: a message has the members of a delta. */
function streamed(completion: ChatCompletionChunk): ChatCompletionChunk {
  const choices = (completion.choices ?? []).map((choice) => {
    const { message } = choice as { message?: ChatCompletionChunk.Choice.Delta }; // where a whole completion has its words
    const calls = message?.tool_calls?.map((call, index) => ({ ...call, index }));
    return {
      ...choice,
      delta: (message && calls ? { ...message, tool_calls: calls } : message) ?? choice.delta,
    };
  });
  return { ...completion, choices };
}
