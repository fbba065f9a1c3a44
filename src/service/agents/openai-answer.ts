import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

/** What upstream sent is no answer, or only the beginning of one. The message is for the log: no word of the answer. */
export class BadAnswer extends Error {
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
export async function* answerParts(response: Response): AsyncGenerator<ChatCompletionChunk> {
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
    const choice = part.choices?.[0];
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
    throw new BadAnswer('no_answer', `upstream answered ${response.status} (${kind}) without an answer`);
  }
  if (!finished) throw new BadAnswer('cut', 'upstream closed the stream before the answer ended');
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

/** Only what is read of it is sure to be as it should: see `UpstreamAnswer`. */
function parsed(json: string, reason: BadAnswer['reason']): ChatCompletionChunk {
  let part: unknown;
  try {
    part = JSON.parse(json);
  } catch {
    // The parser's own words quote the answer.
    throw new BadAnswer(reason, 'upstream sent something that is no JSON');
  }
  if (typeof part !== 'object' || part === null) throw new BadAnswer(reason, 'upstream sent no object');
  if ('error' in part && part.error != null)
    throw new BadAnswer(reason, 'upstream reported an error in the place of an answer');
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
