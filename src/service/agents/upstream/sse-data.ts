import { tooLargePart } from './bounded-fetch.ts';
import { reportedError } from './model-refusal.ts';
import { UpstreamError, type UpstreamFault } from './upstream-error.ts';

/**
 * Yields the non-empty lines of a response.
 * @param limit longest line, in bytes
 * @throws AgentFailure when a line exceeds the limit
 */
export async function* linesOf(response: Response, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split(/[\r\n]+/); // fetch yields bytes
    rest = lines.pop() ?? '';
    if (rest.length > limit) throw tooLargePart(limit);
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/**
 * Yields the objects of an event stream whose events have one line of JSON each, up to `[DONE]`. The libraries' own
 * decoders keep a line of any length in memory, and print one that is not JSON.
 * @throws UpstreamError for a line that is not JSON, and for an error as the first event
 */
export async function* readSseObjects(
  response: Response,
  limit: number,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let fault: UpstreamFault = 'no_answer';
  for await (const line of linesOf(response, limit)) {
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    if (data === '') continue;
    if (data === '[DONE]') return;
    const event = parseObject(data, fault);
    if (fault === 'no_answer' && event['type'] === 'error') throw reportedError(event, { isFirst: true });
    yield event;
    fault = 'cut';
  }
  if (fault === 'no_answer') {
    const type = (response.headers.get('content-type') ?? 'no content type').slice(0, 100);
    throw new UpstreamError('no_answer', `upstream answered ${response.status} (${type}) without an answer`);
  }
}

/** Parses an object. @throws UpstreamError that does not quote it */
export function parseObject(json: string, fault: UpstreamFault): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UpstreamError(fault, 'upstream sent invalid JSON');
  }
  if (typeof value !== 'object' || value === null)
    throw new UpstreamError(fault, 'upstream did not send an object');
  return value as Readonly<Record<string, unknown>>;
}
