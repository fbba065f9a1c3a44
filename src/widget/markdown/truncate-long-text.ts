import type { Block, Inline, ListItem } from '../../markdown/nodes.ts';
import { shallowArrayEquals } from '../../protocol/json.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import type { ViewContext } from './view-context.ts';

/** Pieces that are drawn before the visitor asks for more, and how many more each time: about half a second of work. */
const atOnce = 20_000;
/** Pieces that a character makes at most, but for short rows of very wide tables. */
const mostPieces = 64;
/** What an item of a list costs besides its words: the item, its mark, and its place in the list. */
const itemCost = 2;

/**
 * Bounds what is drawn of a long text. The rest waits behind a button; a block of code is never cut, so that it is
 * copied whole.
 * @param body What the text is drawn into.
 * @param drawAgain Draws the text once more, because more of it is asked for.
 * @returns What gives the blocks that are drawn of all there are, of a text of that many characters: the very array when
 * all of them are. It costs little while a text grows that is far from the bound.
 */
export function truncateBlocks(
  body: HTMLElement,
  context: ViewContext,
  drawAgain: () => void,
): (blocks: readonly Block[], length: number) => readonly Block[] {
  let room = atOnce;
  let count = 0;
  /** Lengths between which a text that was drawn whole is still. */
  let looked = 0;
  let lookAgain = 0;
  const place = document.createElement('div');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  const root = place.attachShadow({ mode: 'open' });
  if (sharedStyles.styleSheet) root.adoptedStyleSheets = [sharedStyles.styleSheet];
  root.append(button);
  const say = (): void => {
    button.textContent = context.words.t('content.more', { count });
  };
  button.addEventListener('click', () => {
    const last = lastOf(body);
    room += atOnce;
    leaveEnd(place);
    drawAgain();
    if (place.isConnected) return;
    last.tabIndex = -1;
    last.focus({ preventScroll: true });
  });
  context.labels.add(place, say);
  return (blocks, length) => {
    if (length >= looked && length < lookAgain) return blocks;
    const shown = new Prefix(room);
    const some = shown.take(blocks);
    const isWhole = some === blocks;
    looked = length;
    lookAgain = isWhole ? length + shown.room / mostPieces : 0;
    if (isWhole) {
      place.remove();
      return blocks;
    }
    const next = new Prefix(room + atOnce);
    next.take(blocks);
    if (count !== next.entries - shown.entries) {
      count = next.entries - shown.entries;
      say();
    }
    if (!place.isConnected) body.after(place);
    return some;
  };
}

/** The first blocks of a text, as many as there is room for; the last may be shorter than it is. */
class Prefix {
  /** Items, rows, and blocks of other kinds. */
  entries = 0;
  /** Pieces there is room for. */
  room: number;

  constructor(room: number) {
    this.room = room;
  }

  /** The very array when there is room for all of it. */
  take(blocks: readonly Block[]): readonly Block[] {
    return this.#some(blocks, (block) => this.#block(block));
  }

  #block(block: Block): Block {
    switch (block.kind) {
      case 'list': {
        const items = this.#some(block.items, (item) => this.#item(item));
        return items === block.items ? block : { ...block, items, settled: 0 };
      }
      case 'table': {
        const rows = this.#some(block.rows, (row) => {
          this.#enter(row.reduce((sum, cell) => sum + costOf(cell), 1));
          return row;
        });
        return rows === block.rows ? block : { ...block, rows, settled: 0 };
      }
      case 'quote': {
        const children = this.take(block.children);
        return children === block.children ? block : { ...block, children };
      }
      case 'paragraph':
        if (block.bare) this.room -= costOf(block.settled, block.rest);
        else this.#enter(costOf(block.settled, block.rest));
        return block;
      default:
        this.#enter(block.kind === 'heading' ? costOf(block.children) : 1);
        return block;
    }
  }

  #item(item: ListItem): ListItem {
    this.#enter(itemCost);
    const children = this.take(item.children);
    return children === item.children ? item : { ...item, children };
  }

  #enter(cost: number): void {
    this.entries += 1;
    this.room -= cost;
  }

  #some<Value>(all: readonly Value[], take: (value: Value) => Value): readonly Value[] {
    const some: Value[] = [];
    for (const value of all) {
      if (this.room <= 0) break;
      some.push(take(value));
    }
    return shallowArrayEquals(some, all) ? all : some;
  }
}

/** Even nothing has an element around it. */
function costOf(line: readonly Inline[], rest: readonly Inline[] = []): number {
  return Math.max(1, line.length + rest.length);
}

/** The last piece that is drawn, where the visitor has read to. */
function lastOf(body: HTMLElement): HTMLElement {
  let last = body;
  while (last.lastElementChild instanceof HTMLElement) last = last.lastElementChild;
  return last;
}

/** Whoever asks for more reads on from there: they no longer follow the end, which would carry them past all of it. */
function leaveEnd(place: Element): void {
  for (let node: Node | null = place; node; node = node instanceof ShadowRoot ? node.host : node.parentNode) {
    if (!(node instanceof Element) || node.scrollTop === 0) continue;
    node.scrollTop -= 32; // more than what still counts as the end
    return;
  }
}
