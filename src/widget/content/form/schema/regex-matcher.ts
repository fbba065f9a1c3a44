import { parsePattern, type PatternNode } from './regex-parser.ts';

/**
 * A step of a compiled pattern. `split` goes two ways at once; that all ways are walked together, character by
 * character, is what keeps the work linear where a backtracking matcher would be exponential.
 */
type Step =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'split'; readonly ways: number[] }
  | { readonly kind: 'edge'; readonly edge: 'start' | 'end' | 'word' | 'inside' }
  | { readonly kind: 'look'; readonly program: Program; readonly wanted: boolean }
  | { readonly kind: 'match' };
type Program = readonly Step[];

const mostSteps = 4000;
const longestText = 20_000;
const programs = new Map<string, Program | undefined>();

/**
 * Whether a text has a match for a pattern of a schema, found in time linear in the text: an agent's pattern cannot
 * hang the page. True where the pattern cannot be read, uses what needs backtracking (back references, look behind),
 * or the text is longer than 20,000 characters: then only the service can tell.
 * @param spend Called with the work done; may throw to end it.
 */
export function matchesPattern(pattern: string, text: string, spend: (steps: number) => void): boolean {
  const program = compiled(pattern);
  if (!program || text.length > longestText) return true;
  return hasMatch(program, [...text], 0, { anchored: false, spend });
}

function compiled(pattern: string): Program | undefined {
  if (!programs.has(pattern)) {
    if (programs.size > 200) programs.clear();
    programs.set(pattern, compile(pattern));
  }
  return programs.get(pattern);
}

function compile(pattern: string): Program | undefined {
  const tree = parsePattern(pattern);
  if (!tree) return undefined;
  try {
    return assemble(tree);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function assemble(tree: PatternNode): Program {
  const steps: Step[] = [];
  emit(tree, steps);
  steps.push({ kind: 'match' });
  return steps;
}

function emit(node: PatternNode, steps: Step[]): void {
  if (steps.length > mostSteps) throw new RangeError('pattern too large');
  if (node.kind === 'character') steps.push({ kind: 'character', test: node.test });
  else if (node.kind === 'edge') steps.push({ kind: 'edge', edge: node.edge });
  else if (node.kind === 'look')
    steps.push({ kind: 'look', program: assemble(node.inner), wanted: node.wanted });
  else if (node.kind === 'sequence') for (const part of node.parts) emit(part, steps);
  else if (node.kind === 'either') emitEither(node.ways, steps);
  else emitRepeat(node, steps);
}

function emitEither(alternatives: readonly PatternNode[], steps: Step[]): void {
  const ways: number[] = [];
  const exits: number[][] = [];
  steps.push({ kind: 'split', ways });
  for (const alternative of alternatives) {
    ways.push(steps.length);
    emit(alternative, steps);
    const exit: number[] = [];
    exits.push(exit);
    steps.push({ kind: 'split', ways: exit });
  }
  for (const exit of exits) exit.push(steps.length);
}

function emitRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, steps: Step[]): void {
  for (let count = 0; count < node.least; count += 1) emit(node.inner, steps);
  if (node.most === Infinity) {
    const ways: number[] = [];
    const loop = steps.length;
    steps.push({ kind: 'split', ways });
    ways.push(steps.length);
    emit(node.inner, steps);
    steps.push({ kind: 'split', ways: [loop] });
    ways.push(steps.length);
    return;
  }
  const exits: number[][] = [];
  for (let count = node.least; count < node.most; count += 1) {
    const ways = [steps.length + 1];
    exits.push(ways);
    steps.push({ kind: 'split', ways });
    emit(node.inner, steps);
  }
  for (const ways of exits) ways.push(steps.length);
}

interface Search {
  readonly anchored: boolean;
  readonly spend: (steps: number) => void;
}

function hasMatch(program: Program, text: readonly string[], from: number, search: Search): boolean {
  let current: number[] = [];
  for (let index = from; index <= text.length; index += 1) {
    const reached = new Uint8Array(program.length);
    const next: number[] = [];
    const starts = index === from || !search.anchored ? [...current, 0] : current;
    if (starts.length === 0) return false;
    for (const start of starts) {
      if (follow(program, text, index, start, { reached, next, spend: search.spend })) return true;
    }
    search.spend(1 + next.length);
    current = advance(program, next, text[index]);
  }
  return false;
}

function advance(program: Program, waiting: readonly number[], character: string | undefined): number[] {
  if (character === undefined) return [];
  return waiting.flatMap((at) => {
    const step = program[at];
    return step?.kind === 'character' && step.test(character) ? [at + 1] : [];
  });
}

interface Front {
  readonly reached: Uint8Array;
  readonly next: number[];
  readonly spend: (steps: number) => void;
}

/** Walks all steps that take no character; true when the end of the pattern is among them. */
function follow(
  program: Program,
  text: readonly string[],
  index: number,
  start: number,
  front: Front,
): boolean {
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (front.reached[at]) continue;
    front.reached[at] = 1;
    const step = program[at];
    if (!step || step.kind === 'match') return true;
    if (step.kind === 'character') front.next.push(at);
    else if (step.kind === 'split') open.push(...step.ways);
    else if (step.kind === 'edge' ? isEdge(step.edge, text, index) : looksRight(step, text, index, front))
      open.push(at + 1);
  }
  return false;
}

function looksRight(
  step: Extract<Step, { kind: 'look' }>,
  text: readonly string[],
  index: number,
  front: Front,
): boolean {
  return hasMatch(step.program, text, index, { anchored: true, spend: front.spend }) === step.wanted;
}

function isEdge(edge: 'start' | 'end' | 'word' | 'inside', text: readonly string[], index: number): boolean {
  if (edge === 'start') return index === 0;
  if (edge === 'end') return index === text.length;
  const isWord = (at: number): boolean => /^\w$/.test(text[at] ?? '');
  return (isWord(index - 1) !== isWord(index)) === (edge === 'word');
}
