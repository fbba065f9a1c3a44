import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import type { Environment } from './environment.ts';
import { useGithubRules, type InlineRule } from './inline-rules.ts';
import { isUnfinishedDestination, useOpenTail, withoutTrailingMarks } from './open-tail.ts';
import { countSteps } from './steps.ts';
import { encodeAddress } from './urls.ts';

/*
 * One parser for all: it keeps nothing between parses. Raw HTML is recognised, so that what is text by CommonMark stays
 * text, and then shown as it was written.
 */
const markdown = new MarkdownIt({ html: true });
markdown.normalizeLink = encodeAddress;
markdown.normalizeLinkText = (text) => text;
// What may be followed is decided where the link is shown.
markdown.validateLink = () => true;
useGithubRules(markdown);
useOpenTail(markdown);

/**
 * Finds the blocks of a text. Inline content stays as source text in `inline` tokens; definitions are added to
 * `environment.references`, the first of a label winning.
 * @param source Text with `\n` line ends and no NUL.
 */
export function parseBlocks(source: string, environment: Environment): Token[] {
  countSteps(source.length);
  const tokens: Token[] = [];
  markdown.block.parse(source, markdown, environment, tokens);
  return tokens;
}

/** Parses the inline content of one block. */
export function parseInlineTokens(source: string, environment: Environment): Token[] {
  const shown = environment.open ? withoutTrailingMarks(source) : source;
  countSteps(shown.length);
  const tokens: Token[] = [];
  markdown.inline.parse(shown, markdown, environment, tokens);
  return tokens;
}

/** The inline parser's state. */
export type InlineState = InstanceType<typeof markdown.inline.State>;

/** The inline parser to be driven step by step: its state, its rules, and what pairs emphasis marks at the end. */
export function startInline(
  source: string,
  environment: Environment,
  tokens: Token[],
): { state: InlineState; rules: readonly InlineRule[]; pair: (state: InlineState) => void } {
  const [pair] = markdown.inline.ruler2.getRules('');
  if (!pair) throw new TypeError('markdown-it pairs no emphasis');
  const state = new markdown.inline.State(source, markdown, environment, tokens);
  return { state, rules: markdown.inline.ruler.getRules(''), pair };
}

/** Backslash escapes and character references of an info string decoded. */
export function decodeInfo(info: string): string {
  return markdown.utils.unescapeAll(info.trim());
}

/** Whether a link's `(destination "title")` ends before it is clear what it is. */
export function destinationMayGrow(source: string, from: number): boolean {
  return isUnfinishedDestination(markdown, source, from);
}
