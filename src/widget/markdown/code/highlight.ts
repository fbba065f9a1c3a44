import { grammars, type Colour, type Grammar } from './grammars.ts';

/** A piece of code in one colour. */
export interface Segment {
  readonly text: string;
  /** Class in our own style sheet; undefined for plain code. */
  readonly colour: Colour | undefined;
}

const aliases: Readonly<Record<string, string>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  c: 'cpp',
  'c++': 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  jsonc: 'json',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  tsx: 'typescript',
  html: 'xml',
  svg: 'xml',
  yml: 'yaml',
};

const word = /[A-Za-z_$][\w$]*/;
const call = /\s?\(/y;
const patterns = new Map<Grammar, RegExp>();

/**
 * Highlights strings, comments, numbers and keywords with patterns; it does not parse the language.
 * @param language name or alias from a code fence
 * @returns segments that together are the code; undefined for unknown languages
 */
export function highlight(code: string, language: string): readonly Segment[] | undefined {
  const name = Object.hasOwn(aliases, language) ? (aliases[language] ?? language) : language;
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined;
  if (!grammar) return undefined;
  const segments: Segment[] = [];
  let at = 0;
  for (const match of code.matchAll(patternOf(grammar))) {
    const [text] = match;
    const colour = colourOf(grammar, match, code);
    if (colour === undefined || text === '') continue;
    if (match.index > at) segments.push({ text: code.slice(at, match.index), colour: undefined });
    segments.push({ text, colour });
    at = match.index + text.length;
  }
  if (at < code.length) segments.push({ text: code.slice(at), colour: undefined });
  return segments;
}

/** Combines all rules into one pattern with a group per rule; words come last. */
function patternOf(grammar: Grammar): RegExp {
  let pattern = patterns.get(grammar);
  if (!pattern) {
    const sources = grammar.rules.map(([, { source }], index) => `(?<r${index}>${source})`);
    if (grammar.words) sources.push(word.source);
    pattern = new RegExp(sources.join('|'), 'gm');
    patterns.set(grammar, pattern);
  }
  return pattern;
}

function colourOf(grammar: Grammar, match: RegExpExecArray, code: string): Colour | undefined {
  const rule = grammar.rules.findIndex((_rule, index) => match.groups?.[`r${index}`] !== undefined);
  if (rule >= 0) return grammar.rules[rule]?.[0];
  const [text] = match;
  if (grammar.words?.has(grammar.anyCase ? text.toLowerCase() : text)) return 'keyword';
  call.lastIndex = match.index + text.length;
  return call.test(code) ? 'name' : undefined;
}
