import type { Token } from 'markdown-it';
import type { Alignment, Block, Inline, ListItem, TableRow } from './nodes.ts';
import { decodeInfo } from './parser.ts';

/** Parses the inline content a token holds; an unchanged content may give the very nodes of last time. */
export type InlineReader = (token: Token) => readonly Inline[];

/** Block tokens being read one by one. */
interface Cursor {
  readonly tokens: readonly Token[];
  readonly inline: InlineReader;
  at: number;
}

/** Makes the node of the block that begins at `tokens[from]`. */
export function blockNode(tokens: readonly Token[], from: number, inline: InlineReader): Block {
  return readBlock({ tokens, inline, at: from });
}

/** Makes the node of the list item that begins at `tokens[from]`. */
export function itemNode(tokens: readonly Token[], from: number, inline: InlineReader): ListItem {
  return listItem(readBlocks({ tokens, inline, at: from + 1 }, 'list_item_close'));
}

/** Makes the node of the table row that begins at `tokens[from]`. */
export function rowNode(tokens: readonly Token[], from: number, inline: InlineReader): TableRow {
  return readRow({ tokens, inline, at: from });
}

/** Where the block that begins at `from` ends: the index after its last token. */
export function endOfBlock(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

function readBlock(cursor: Cursor): Block {
  const token = next(cursor);
  switch (token.type) {
    case 'heading_open': {
      const children = readInline(cursor);
      cursor.at++;
      return { kind: 'heading', level: Number(token.tag.slice(1)), children };
    }
    case 'fence':
      return {
        kind: 'code',
        info: decodeInfo(token.info),
        settled: token.content === '' ? [] : [token.content],
        rest: '',
        closed: true,
      };
    case 'code_block':
      return { kind: 'code', info: '', settled: [token.content], rest: '', closed: true };
    case 'hr':
      return { kind: 'rule' };
    case 'html_block':
      return { kind: 'raw', text: token.content.replace(/\n+$/, '') };
    case 'blockquote_open':
      return { kind: 'quote', children: readBlocks(cursor, 'blockquote_close') };
    case 'bullet_list_open':
    case 'ordered_list_open':
      return readList(cursor, token);
    case 'table_open':
      return readTable(cursor);
    default: {
      const rest = readInline(cursor);
      cursor.at++;
      return { kind: 'paragraph', bare: token.hidden, settled: [], rest };
    }
  }
}

function readBlocks(cursor: Cursor, close: string): readonly Block[] {
  const blocks: Block[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at];
    if (token?.type === close) break;
    if (token?.type === 'reference_definition') cursor.at++;
    else blocks.push(readBlock(cursor));
  }
  cursor.at++;
  return blocks;
}

function readList(cursor: Cursor, open: Token): Block {
  const items: ListItem[] = [];
  while (cursor.tokens[cursor.at]?.type === 'list_item_open') {
    cursor.at++;
    items.push(listItem(readBlocks(cursor, 'list_item_close')));
  }
  cursor.at++;
  return {
    kind: 'list',
    ordered: open.type === 'ordered_list_open',
    start: Number(open.attrGet('start') ?? 1),
    items,
    settled: 0,
  };
}

const task = /^\[([ xX])\](?=\s)[ \t\n]*/;

/** `[ ]` or `[x]` before its text makes an item a task. */
function listItem(children: readonly Block[]): ListItem {
  const [first, ...others] = children;
  const text = first?.kind === 'paragraph' ? first.rest[0] : undefined;
  const mark = text?.kind === 'text' ? task.exec(text.text) : null;
  if (!mark || first?.kind !== 'paragraph' || text?.kind !== 'text') return { checked: undefined, children };
  const rest: Inline[] = [{ kind: 'text', text: text.text.slice(mark[0].length) }, ...first.rest.slice(1)];
  return { checked: mark[1] !== ' ', children: [{ ...first, rest }, ...others] };
}

function readTable(cursor: Cursor): Block {
  cursor.at++;
  const alignments: Alignment[] = [];
  const head = readRow(cursor, alignments);
  cursor.at++;
  const rows: TableRow[] = [];
  if (cursor.tokens[cursor.at]?.type === 'tbody_open') {
    cursor.at++;
    while (cursor.tokens[cursor.at]?.type === 'tr_open') rows.push(readRow(cursor));
    cursor.at++;
  }
  cursor.at++;
  return { kind: 'table', alignments, head, rows, settled: 0 };
}

function readRow(cursor: Cursor, alignments?: Alignment[]): TableRow {
  const cells: (readonly Inline[])[] = [];
  cursor.at++;
  while (cursor.tokens[cursor.at]?.type !== 'tr_close') {
    const style = String(next(cursor).attrGet('style') ?? '');
    // markdown-it writes exactly one of these three words after the colon.
    alignments?.push(style.slice(style.indexOf(':') + 1) as Alignment);
    cells.push(readInline(cursor));
    cursor.at++;
  }
  cursor.at++;
  return cells;
}

function readInline(cursor: Cursor): readonly Inline[] {
  return cursor.inline(next(cursor));
}

function next(cursor: Cursor): Token {
  const token = cursor.tokens[cursor.at++];
  if (!token) throw new RangeError('block tokens end inside a block');
  return token;
}
