import * as z from 'zod/mini';
import type { Detector } from './detector.ts';

/** Time limit of a detector. */
const timeoutMs = 10_000;

const answerSchema = z.array(
  z.array(
    z.looseObject({
      start: z.int(),
      end: z.int(),
      score: z.optional(z.number()),
      detection: z.optional(z.string()),
      detection_type: z.optional(z.string()),
    }),
  ),
);

/**
 * Creates a detector that calls a URL. It sends `{"contents":[text]}` by POST and expects, for each text, a
 * list of `{start, end, score, detection, detection_type}`: the format that open detector services share.
 * `start` and `end` count code points; without `score`, a finding is certain.
 * @throws when the response has another format, because the text must not pass unchecked
 * @assumed the interface names no detector service
 */
export function detectByUrl(url: string): Detector {
  return async (text, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error', // visitors' texts go only where the operator sends them
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ contents: [text], detector_params: {} }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) throw new Error(`the detector answered ${response.status}`);
    const answer = z.safeParse(answerSchema, await jsonOf(response));
    const [found, ...others] = answer.data ?? [];
    if (!found || others.length > 0) throw new Error('the detector answered in an unknown format');
    const length = Array.from(text).length;
    if (found.some(({ start, end }) => start < 0 || start >= end || end > length))
      throw new Error('the detector returned a range outside the text');
    const offsets = codeUnitOffsets(text);
    return found.map(({ start, end, score, detection, detection_type }) => ({
      start: offsets(start),
      end: offsets(end),
      kind:
        (detection ?? detection_type ?? 'REMOVED')
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim()
          .toUpperCase() || 'REMOVED',
      score: score ?? 1,
    }));
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    // The parser's message would quote the answer, which may quote the visitor.
    throw error instanceof SyntaxError ? new Error('the detector answered with invalid JSON') : error;
  }
}

/** Converts code point offsets to string offsets. */
function codeUnitOffsets(text: string): (offset: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (offset) => Math.min(Math.max(0, offset), text.length);
  const offsets = [0];
  for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length);
  return (offset) => offsets[Math.min(Math.max(0, offset), offsets.length - 1)] ?? text.length;
}
