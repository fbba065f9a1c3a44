import type { Token } from 'markdown-it';
import { endOfBlock } from './block-nodes.ts';
import type { Environment } from './environment.ts';
import { parseBlocks } from './parser.ts';

/** A top-level block among the tokens of a parse. */
export interface TopBlock {
  /** Index of its first token, and of the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Its first line, and the one after its last. */
  readonly startLine: number;
  readonly endLine: number;
}

/** The tokens of a stretch of source, with its lines. */
export class ParsedTail {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly blocks: readonly TopBlock[];
  #lineStarts: number[] | undefined;

  constructor(source: string, environment: Environment) {
    this.source = source;
    this.tokens = parseBlocks(source, environment);
    const blocks: TopBlock[] = [];
    for (let from = 0; from < this.tokens.length;) {
      const to = endOfBlock(this.tokens, from);
      const token = this.tokens[from];
      if (token?.map && token.type !== 'reference_definition') {
        blocks.push({ from, to, startLine: token.map[0], endLine: token.map[1] });
      }
      from = to;
    }
    this.blocks = blocks;
  }

  /** Where a line begins; the length of the source for one past its end. */
  offsetOf(line: number): number {
    this.#lineStarts ??= lineStartsOf(this.source);
    return this.#lineStarts[line] ?? this.source.length;
  }

  isBlank(line: number): boolean {
    return /^[ \t]*\n?$/.test(this.source.slice(this.offsetOf(line), this.offsetOf(line + 1)));
  }

  /** Labels of the link definitions that end before an offset of the source, or at it. */
  definitionsBefore(offset: number): string[] {
    const labels: string[] = [];
    for (const { type, map, meta } of this.tokens) {
      if (type !== 'reference_definition' || !map || this.offsetOf(map[1]) > offset) continue;
      labels.push(String(meta?.['label']));
    }
    return labels;
  }
}

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
