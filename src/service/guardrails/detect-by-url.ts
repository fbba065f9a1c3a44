import * as z from 'zod/mini';
import type { Detector } from './detector.ts';

/** Milliseconds a detector may take. */
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
 * A detector behind an address. It is sent `{"contents":[text]}` by POST and answers, for each text, a list of
 * `{start, end, score, detection, detection_type}`: the form that open detector services for language models share.
 * `start` and `end` count characters (code points); without `score` a finding is certain.
 * @throws when the answer is of another form: a finding that cannot be placed is no reason to let the text pass.
 * @assumed the interface names no detector service
 */
export function detectByUrl(url: string): Detector {
  return async (text, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error', // the words of visitors go where the operator said, and nowhere else
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ contents: [text], detector_params: {} }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) throw new Error(`the detector answered ${response.status}`);
    const answer = z.safeParse(answerSchema, await jsonOf(response));
    const [found, ...others] = answer.data ?? [];
    if (!found || others.length > 0)
      throw new Error('the detector answered in a form that is not understood');
    const length = Array.from(text).length;
    if (found.some(({ start, end }) => start < 0 || start >= end || end > length))
      throw new Error('the detector named a place that is not in the text');
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
    // The parser's own words quote the answer, which may quote the message.
    throw error instanceof SyntaxError ? new Error('the detector answered something that is no JSON') : error;
  }
}

/** Turns places counted in code points into places in a string. */
function codeUnitOffsets(text: string): (place: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (place) => Math.min(Math.max(0, place), text.length);
  const offsets = [0];
  for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length);
  return (place) => offsets[Math.min(Math.max(0, place), offsets.length - 1)] ?? text.length;
}
