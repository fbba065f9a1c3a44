import type { Alignment, Block, Inline, ListItem, TableRow } from './nodes.ts';

/** A block of the parser: its source, and its nodes so far. */
export interface SourceBlock {
  kind: Block['kind'] | 'document' | 'item' | 'row';
  readonly children: SourceBlock[];
  /** Source text that is not settled. */
  text: string;
  /** Source text of a paragraph that is settled: its nodes are in `settledInlines`. */
  settledText: string;
  /** Number of the last line that belongs to the block and is not blank. */
  lastLine: number;
  /** Columns of indentation to remove from each line of an item or of fenced code. */
  indent: number;
  /** Level of a heading. */
  level: number;
  /** First number of an ordered list; undefined for a bullet list. */
  start: number | undefined;
  /** Bullet of a list, or the sign after its numbers. */
  delimiter: string;
  /** Info string of fenced code; `math` for raw text that is a formula. */
  info: string;
  /** Whether a list has blank lines between its items or their blocks. */
  loose: boolean;
  /** Pattern of the line that ends fenced code or HTML; undefined: a blank line or less indentation ends it. */
  end: RegExp | undefined;
  alignments: readonly Alignment[];
  settledInlines: Inline[];
  settledCode: string[];
  /** Nodes of a list; only those of the first `settledCount` children are final. */
  items: ListItem[];
  /** Nodes of a table's body; only the first `settledCount` are final. */
  rows: TableRow[];
  settledCount: number;
  /** Length of `text` after the last attempt to settle more of it. */
  triedLength: number;
  /** The node, once the block is closed. */
  node: Block | undefined;
  itemNode: ListItem | undefined;
  /** Whether `itemNode` was made for a tight list. */
  itemIsTight: boolean;
  rowNode: TableRow | undefined;
  /** The inline content parsed last. */
  inlineText: string;
  inlineIsOpen: boolean;
  inlines: readonly Inline[] | undefined;
}

export function createSourceBlock(kind: SourceBlock['kind'], fields: Partial<SourceBlock> = {}): SourceBlock {
  return {
    kind,
    children: [],
    text: '',
    settledText: '',
    lastLine: 0,
    indent: 0,
    level: 0,
    start: undefined,
    delimiter: '',
    info: '',
    loose: false,
    end: undefined,
    alignments: [],
    settledInlines: [],
    settledCode: [],
    items: [],
    rows: [],
    settledCount: 0,
    triedLength: 0,
    node: undefined,
    itemNode: undefined,
    itemIsTight: false,
    rowNode: undefined,
    inlineText: '',
    inlineIsOpen: false,
    inlines: undefined,
    ...fields,
  };
}

/** Whether a block contains text or rows, not other blocks. */
export function isLeaf({ kind }: SourceBlock): boolean {
  return kind !== 'document' && kind !== 'quote' && kind !== 'list' && kind !== 'item';
}

/** Marks the whole source of a paragraph as unsettled. */
export function unsettle(block: SourceBlock): void {
  block.text = block.settledText + block.text;
  block.settledText = '';
  block.settledInlines = [];
  block.triedLength = 0;
}

/** Discards the nodes of blocks whose source mentions one of the labels. Returns whether there were any. */
export function dropNodesMentioning(
  block: SourceBlock,
  labels: readonly string[],
  normalize: (text: string) => string,
): boolean {
  let isStale = false;
  for (const child of block.children) isStale = dropNodesMentioning(child, labels, normalize) || isStale;
  const source = block.settledText + block.text;
  if (!isStale && source.includes('[')) {
    const text = normalize(source);
    isStale = labels.some((label) => text.includes(label));
  }
  if (!isStale || block.kind === 'code') return false;
  unsettle(block);
  block.items = [];
  block.rows = [];
  block.settledCount = 0;
  block.node = block.itemNode = block.rowNode = block.inlines = undefined;
  return true;
}
