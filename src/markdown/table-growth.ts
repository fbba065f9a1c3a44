import { blockNode, endOfBlock, rowNode } from './block-nodes.ts';
import type { AbsorbOptions, Growth } from './growth.ts';
import type { TableBlock, TableRow } from './nodes.ts';
import type { ParsedTail, TopBlock } from './parsed-tail.ts';

/** A table to which rows are added; every row with its line end is settled. */
export class TableGrowth implements Growth {
  /** Head and delimiter row; empty until they are known. */
  prefix = '';
  source = '';
  block: TableBlock = { kind: 'table', alignments: [], head: [], rows: [], settled: 0 };
  readonly #rows: TableRow[] = [];
  #settled = 0;

  absorb(parsed: ParsedTail, block: TopBlock, options: AbsorbOptions): number | undefined {
    const { tokens } = parsed;
    const first = this.prefix === '';
    if (tokens[block.from]?.type !== 'table_open' || (!first && block.startLine !== 0)) return undefined;
    if (first) {
      this.prefix = parsed.source.slice(
        parsed.offsetOf(block.startLine),
        parsed.offsetOf(block.startLine + 2),
      );
      const node = blockNode(tokens, block.from, options.read);
      if (node.kind === 'table') this.block = node;
    }
    this.#rows.length = this.#settled;
    let line = block.startLine + 2;
    for (let at = firstRow(parsed, block); tokens[at]?.type === 'tr_open'; at = endOfBlock(tokens, at)) {
      this.#rows.push(rowNode(tokens, at, options.read));
      if (!options.finished && line >= options.lastLine) continue;
      this.#settled++;
      line++;
    }
    const cut = parsed.offsetOf(line);
    this.source += parsed.source.slice(first ? parsed.offsetOf(block.startLine) : this.prefix.length, cut);
    this.block = { ...this.block, rows: this.#rows, settled: this.#settled };
    return cut;
  }
}

function firstRow({ tokens }: ParsedTail, block: TopBlock): number {
  for (let at = block.from; at < block.to; at++) if (tokens[at]?.type === 'tbody_open') return at + 1;
  return tokens.length;
}
