import type { Token } from 'markdown-it';
import { endOfBlock, itemNode } from './block-nodes.ts';
import type { AbsorbOptions, Growth } from './growth.ts';
import type { ListBlock, ListItem } from './nodes.ts';
import type { ParsedTail, TopBlock } from './parsed-tail.ts';

/** A list to which items are added; all but the last are settled. */
export class ListGrowth implements Growth {
  readonly prefix = '';
  source = '';
  block: ListBlock;
  readonly #type: string;
  readonly #markup: string;
  #items: ListItem[] = [];
  /** How many of the items are settled. */
  #settled = 0;
  #tight = true;
  /** A settled item had a blank line inside, or before the next. */
  #loose = false;
  /** The last settled item ended in a blank line. */
  #gap = false;

  constructor(open: Token) {
    this.#type = open.type;
    this.#markup = open.markup;
    this.block = {
      kind: 'list',
      ordered: open.type === 'ordered_list_open',
      start: Number(open.attrGet('start') ?? 1),
      items: this.#items,
      settled: 0,
    };
  }

  absorb(parsed: ParsedTail, block: TopBlock, options: AbsorbOptions): number | undefined {
    const { tokens } = parsed;
    const open = tokens[block.from];
    if (open?.type !== this.#type || open.markup !== this.#markup) return undefined;
    if (this.source !== '' && block.startLine !== 0) return undefined;
    const begin = parsed.offsetOf(block.startLine);
    const items = itemsOf(tokens, block);
    const settling = options.finished ? items.length : settledItems(items, options.lastLine);
    this.#setTight(!this.#isLoose(parsed, items));
    this.#items.length = this.#settled;
    items.forEach(({ from, to }, index) => {
      for (let at = from; at < to; at++) {
        const token = tokens[at];
        if (token?.type === 'paragraph_open' && token.level === open.level + 2) token.hidden = this.#tight;
      }
      this.#items.push(itemNode(tokens, from, options.read));
      if (index >= settling) return;
      this.#settled++;
      this.#loose ||= this.#gap || hasBlankInside(parsed, from, to);
      this.#gap = endsInBlank(parsed, items[index]);
    });
    const cut = parsed.offsetOf(items[settling]?.startLine ?? block.endLine);
    this.source += parsed.source.slice(begin, cut);
    this.block = { ...this.block, items: this.#items, settled: this.#settled };
    return cut;
  }

  #isLoose(parsed: ParsedTail, items: readonly TopBlock[]): boolean {
    let gap = this.#gap;
    if (this.#loose) return true;
    for (const item of items) {
      if (gap || hasBlankInside(parsed, item.from, item.to)) return true;
      gap = endsInBlank(parsed, item);
    }
    return false;
  }

  /** One blank line loosens all items of a list: their text then stands in paragraphs. */
  #setTight(tight: boolean): void {
    if (tight === this.#tight) return;
    this.#tight = tight;
    this.#items = this.#items.slice(0, this.#settled).map((item) => ({
      ...item,
      children: item.children.map((child) =>
        child.kind === 'paragraph' ? { ...child, bare: tight } : child,
      ),
    }));
  }
}

/** The items of a list among the tokens. */
function itemsOf(tokens: readonly Token[], list: TopBlock): TopBlock[] {
  const items: TopBlock[] = [];
  for (let from = list.from + 1; from < list.to - 1;) {
    const to = endOfBlock(tokens, from);
    const [startLine, endLine] = tokens[from]?.map ?? [0, 0];
    items.push({ from, to, startLine, endLine });
    from = to;
  }
  return items;
}

/** All items but the last that starts before the last line. */
function settledItems(items: readonly TopBlock[], lastLine: number): number {
  let open = 0;
  items.forEach(({ startLine }, index) => {
    if (startLine < lastLine) open = index;
  });
  return open;
}

function hasBlankInside(parsed: ParsedTail, from: number, to: number): boolean {
  const level = (parsed.tokens[from]?.level ?? 0) + 1;
  let first = true;
  for (let at = from + 1; at < to - 1; at++) {
    const token = parsed.tokens[at];
    if (!token?.map || token.level !== level || token.nesting < 0) continue;
    if (!first && parsed.isBlank(token.map[0] - 1)) return true;
    first = false;
  }
  return false;
}

function endsInBlank(parsed: ParsedTail, item: TopBlock | undefined): boolean {
  return item !== undefined && item.endLine - item.startLine > 1 && parsed.isBlank(item.endLine - 1);
}
