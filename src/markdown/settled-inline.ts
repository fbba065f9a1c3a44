import type { Token } from 'markdown-it';
import type { Environment } from './environment.ts';
import { liveOpeners } from './open-tail.ts';
import { destinationMayGrow, startInline, type InlineState } from './parser.ts';
import { countSteps } from './steps.ts';

/** One thing the inline parser took in one go at the top level. */
interface Step {
  readonly start: number;
  readonly end: number;
  /** It became nothing but text. */
  readonly literal: boolean;
  readonly tokensBefore: number;
}

/**
 * Finds how much of a paragraph's text can never change again, whatever follows: up to a space outside of every mark,
 * with no mark before it that could still find its other half.
 * @param limit It ends before this index.
 * @returns The length of that part; 0 when there is none.
 */
export function settledLength(source: string, limit: number, environment: Environment): number {
  countSteps(source.length);
  const tokens: Token[] = [];
  const { state, rules, pair } = startInline(source, environment, tokens);
  const steps: Step[] = [];
  while (state.pos < state.posMax) {
    const start = state.pos;
    const tokensBefore = state.tokens.length + (state.pending === '' ? 0 : 1);
    const before = state.tokens.length;
    if (!rules.some((rule) => rule(state, false))) state.pending += source[state.pos++] ?? '';
    steps.push({ start, end: state.pos, literal: state.tokens.length === before, tokensBefore });
  }
  if (state.pending) state.pushPending();
  pair(state);
  return lastCut(source, limit, steps, markLimits(state, steps));
}

interface MarkLimits {
  /** From here on a mark is open. */
  readonly end: number;
  /** Where finished emphasis begins and ends. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

function markLimits(state: InlineState, steps: readonly Step[]): MarkLimits {
  const placeOf = (token: number): number => {
    let low = 0;
    let high = steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((steps[middle]?.tokensBefore ?? 0) <= token) low = middle;
      else high = middle - 1;
    }
    return steps[low]?.start ?? 0;
  };
  const { delimiters } = state;
  const first = liveOpeners(delimiters)[0];
  const spans: { from: number; to: number }[] = [];
  for (let at = 0; at < delimiters.length; at++) {
    const opener = delimiters[at];
    const closer = opener && delimiters[opener.end];
    if (!opener || !closer) continue;
    spans.push({ from: placeOf(opener.token), to: placeOf(closer.token) });
    at = opener.end;
  }
  return { end: first ? placeOf(first.token) : Infinity, spans };
}

function lastCut(source: string, limit: number, steps: readonly Step[], { end, spans }: MarkLimits): number {
  let cut = 0;
  let brackets = 0;
  let span = 0;
  for (const { start, end: stepEnd, literal } of steps) {
    if (start >= end || start >= limit) break;
    while ((spans[span]?.to ?? Infinity) < start) span++;
    if (!literal) continue;
    const character = source[start];
    if (character === '`') break;
    if (character === '<' && /[a-z/!?]/i.test(source[start + 1] ?? 'a')) break;
    if (character === '[') brackets++;
    if (character === ']') {
      if (brackets > 0) brackets--;
      if (stepEnd >= source.length) break;
      if (source[stepEnd] === '(' && destinationMayGrow(source, stepEnd + 1)) break;
    }
    if (brackets > 0 || (spans[span]?.from ?? Infinity) < start) continue;
    const space = lastLoneSpace(source, start, Math.min(stepEnd, limit));
    if (space >= 0) cut = space + 1;
  }
  return cut;
}

/** The last single space between two characters that are none, within a stretch. */
function lastLoneSpace(source: string, start: number, end: number): number {
  for (
    let at = source.lastIndexOf(' ', end - 1);
    at >= Math.max(start, 1);
    at = source.lastIndexOf(' ', at - 1)
  ) {
    if (at + 1 < source.length && !/\s/.test(source[at - 1] ?? ' ') && !/\s/.test(source[at + 1] ?? ' '))
      return at;
  }
  return -1;
}
