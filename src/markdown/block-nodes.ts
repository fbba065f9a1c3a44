import type { BlockStream } from './block-stream.ts';
import { parseInline } from './inline-parser.ts';
import { definitionAt, type LinkReferences } from './link-references.ts';
import type { Alignment, Block, Inline, ListItem, TableRow } from './nodes.ts';
import type { SourceBlock } from './source-block.ts';
import { cellsOf, isInCell } from './table-row.ts';
import { trimEnd, trimStart } from './trim.ts';

/** Longer open content is parsed again only after it has grown by 1/64. */
const alwaysParsedLength = 4096;
/** What a row lacks: a wide table with many short rows lacks millions of cells. */
const noCell: readonly Inline[] = [];
const taskMarker = /^\[([ xX])\](?=\s)[ \t\n]*/;

/** Creates the nodes of parsed blocks. An unchanged block keeps its node. */
export class BlockNodes {
  /** Whether some content was not parsed again, to limit the work. */
  behind = false;
  readonly #stream: BlockStream;
  #catchUp = false;

  constructor(stream: BlockStream) {
    this.#stream = stream;
  }

  /** Begins a new pass. With `catchUp`, all content is parsed. */
  begin(catchUp: boolean): void {
    this.behind = false;
    this.#catchUp = catchUp;
  }

  /** The nodes of some blocks. In a tight list their paragraphs are `bare`. */
  nodesOf(blocks: readonly SourceBlock[], bare = false): Block[] {
    return blocks.flatMap((block) => {
      const isOpen = this.#isOpen(block);
      const { node } = block;
      if (node && !isOpen && (node.kind !== 'paragraph' || node.bare === bare)) return node;
      const text = this.#shownText(block, isOpen);
      const isEmpty = text === '' && block.settledText === '';
      if (isEmpty && (block.kind === 'paragraph' || block.kind === 'raw')) return [];
      const created = this.#nodeOf(block, { text, bare, isOpen });
      if (!isOpen) block.node = created;
      return created;
    });
  }

  get #references(): LinkReferences {
    return this.#stream.parser.references;
  }

  #isOpen(block: SourceBlock): boolean {
    return this.#stream.parser.isOpen(block);
  }

  #isProvisional({ lastLine }: SourceBlock): boolean {
    return lastLine === this.#stream.provisionalLine;
  }

  /** The unsettled text of a block. For a paragraph, without definitions and trailing space. */
  #shownText({ kind, text, settledText }: SourceBlock, isOpen: boolean): string {
    if (kind !== 'paragraph') return text;
    let shown = text;
    while (isOpen && !settledText && shown.startsWith('[')) {
      const definition = definitionAt(shown);
      if (!definition) break;
      shown = trimStart(shown.slice(definition.end));
    }
    return trimEnd(shown, ' \t\n');
  }

  #nodeOf(block: SourceBlock, shown: { text: string; bare: boolean; isOpen: boolean }): Block {
    const { text, bare, isOpen } = shown;
    const { kind, children, settledCount } = block;
    switch (kind) {
      case 'heading':
        return {
          kind,
          level: block.level,
          children: this.#inlines(block, trimEnd(text), this.#isProvisional(block)),
        };
      case 'code':
        return codeNode(block, isOpen);
      case 'rule':
        return { kind };
      case 'raw':
        return block.info
          ? { kind: 'math', text: trimEnd(text, '\n'), closed: !isOpen }
          : { kind, text: trimEnd(text, '\n') };
      case 'quote':
        return { kind, children: this.nodesOf(children) };
      case 'list': {
        const { start, loose } = block;
        const items = grow(block.items, block, 0, (item) => this.#itemNode(item, !loose));
        return { kind, ordered: start !== undefined, start: start ?? 1, items, settledCount };
      }
      case 'table': {
        const { alignments } = block;
        const [head = block] = children;
        const rows = grow(block.rows, block, 1, (row) => this.#rowNode(row, alignments));
        return {
          kind,
          alignments,
          head: this.#rowNode(head, alignments),
          rows,
          settledCount,
          closed: !isOpen,
        };
      }
      default:
        return {
          kind: 'paragraph',
          bare,
          settled: block.settledInlines,
          rest: this.#inlines(block, text, isOpen),
        };
    }
  }

  #itemNode(item: SourceBlock, tight: boolean): ListItem {
    const isOpen = this.#isOpen(item);
    if (item.itemNode && !isOpen && item.itemIsTight === tight) return item.itemNode;
    const node = taskItem(this.nodesOf(item.children, tight));
    if (!isOpen) {
      item.itemNode = node;
      item.itemIsTight = tight;
    }
    return node;
  }

  #rowNode(row: SourceBlock, alignments: readonly Alignment[]): TableRow {
    const isProvisional = this.#isProvisional(row);
    if (row.rowNode && !isProvisional) return row.rowNode;
    const cells = cellsOf(row.text);
    const openCell = isProvisional && isInCell(row.text) ? cells.length - 1 : -1;
    const node = alignments.map((_alignment, index) =>
      cells[index] === undefined ? noCell : parseInline(cells[index], this.#references, index === openCell),
    );
    row.rowNode = node;
    return node;
  }

  /** Parses inline content, unless it is the same as before. */
  #inlines(block: SourceBlock, text: string, open: boolean): readonly Inline[] {
    const { inlines, inlineText, inlineIsOpen } = block;
    if (inlines && inlineIsOpen === open) {
      if (inlineText === text) return inlines;
      const grown = text.length - inlineText.length;
      const isLong = text.length > alwaysParsedLength && grown > 0 && grown < text.length / 64;
      if (open && isLong && !this.#catchUp) {
        this.behind = true;
        return inlines;
      }
    }
    block.inlineText = text;
    block.inlineIsOpen = open;
    return (block.inlines = parseInline(text, this.#references, open));
  }
}

function codeNode({ info, text, end, settledCode }: SourceBlock, isOpen: boolean): Block {
  if (!end) {
    // indented code ends before its trailing blank lines
    const lines = text.split('\n');
    while (lines.length > 1 && trimStart(lines.at(-1) ?? '') === '') lines.pop();
    return { kind: 'code', info, settled: [`${lines.join('\n')}\n`], rest: '', closed: true };
  }
  const settled = isOpen || !text ? settledCode : [...settledCode, text];
  return { kind: 'code', info, settled, rest: isOpen ? text : '', closed: !isOpen };
}

/** Fills an array with the nodes of a block's children. Keeps the settled ones. */
function grow<Node>(
  nodes: Node[],
  block: SourceBlock,
  head: number,
  make: (child: SourceBlock) => Node,
): Node[] {
  nodes.length = Math.min(nodes.length, block.settledCount);
  for (const child of block.children.slice(nodes.length + head)) nodes.push(make(child));
  return nodes;
}

/** Creates a list item. A task marker at the start of its first paragraph becomes `checked`. */
function taskItem(children: readonly Block[]): ListItem {
  const [first, ...others] = children;
  const [text, ...inlines] = first?.kind === 'paragraph' && first.settled.length === 0 ? first.rest : [];
  const marker = text?.kind === 'text' ? taskMarker.exec(text.text) : null;
  if (!marker || first?.kind !== 'paragraph' || text?.kind !== 'text')
    return { checked: undefined, children };
  const rest: Inline[] = [{ kind: 'text', text: text.text.slice(marker[0].length) }, ...inlines];
  return { checked: marker[1] !== ' ', children: [{ ...first, rest }, ...others] };
}
