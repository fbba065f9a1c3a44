import type { Block, Inline, ListItem } from '../../markdown/nodes.ts';
import { shallowArrayEquals } from '../../protocol/json.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import type { ViewContext } from './view-context.ts';

/** Pieces rendered at first, and added by "Show more": about half a second of work. */
const piecesPerPage = 20_000;
/** Maximum number of pieces per character, except in short rows of very wide tables. */
const maxPiecesPerCharacter = 64;
/** Cost of a list item besides its text: the item, its marker, and its place in the list. */
const itemCost = 2;

/**
 * Limits how much of a long text is rendered; a button shows the rest. Code blocks are never cut, so that they can be
 * copied completely.
 * @param body the element that the text is rendered into
 * @param drawAgain renders the text again after "Show more"
 * @returns a function that returns the blocks to render, for all blocks and the text's length in characters: the
 *   same array if all are rendered. It is cheap while a growing text is far from the limit.
 */
export function truncateBlocks(
  body: HTMLElement,
  context: ViewContext,
  drawAgain: () => void,
): (blocks: readonly Block[], length: number) => readonly Block[] {
  let room = piecesPerPage;
  let count = 0;
  /** Length at the last check. The text need not be checked again before it reaches `lookAgain`. */
  let looked = 0;
  let lookAgain = 0;
  const more = document.createElement('div');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  const root = more.attachShadow({ mode: 'open' });
  if (sharedStyles.styleSheet) root.adoptedStyleSheets = [sharedStyles.styleSheet];
  root.append(button);
  const updateCount = (): void => {
    button.textContent = context.words.t('content.more', { count });
  };
  button.addEventListener('click', () => {
    const last = lastOf(body);
    room += piecesPerPage;
    stopFollowing(more);
    drawAgain();
    if (more.isConnected) return;
    last.tabIndex = -1;
    last.focus({ preventScroll: true });
  });
  context.labels.add(more, updateCount);
  return (blocks, length) => {
    if (length >= looked && length < lookAgain) return blocks;
    const shown = new Prefix(room);
    const some = shown.take(blocks);
    const isWhole = some === blocks;
    looked = length;
    lookAgain = isWhole ? length + shown.room / maxPiecesPerCharacter : 0;
    if (isWhole) {
      more.remove();
      return blocks;
    }
    const next = new Prefix(room + piecesPerPage);
    next.take(blocks);
    if (count !== next.entries - shown.entries) {
      count = next.entries - shown.entries;
      updateCount();
    }
    if (!more.isConnected) body.after(more);
    return some;
  };
}

/** The first blocks of a text that fit; the last one may be shortened. */
class Prefix {
  /** Number of items, rows and other blocks. */
  entries = 0;
  /** Number of pieces that still fit. */
  room: number;

  constructor(room: number) {
    this.room = room;
  }

  /** Returns the same array if everything fits. */
  take(blocks: readonly Block[]): readonly Block[] {
    return this.#some(blocks, (block) => this.#block(block));
  }

  #block(block: Block): Block {
    switch (block.kind) {
      case 'list': {
        const items = this.#some(block.items, (item) => this.#item(item));
        return items === block.items ? block : { ...block, items, settledCount: 0 };
      }
      case 'table': {
        const rows = this.#some(block.rows, (row) => {
          this.#enter(row.reduce((sum, cell) => sum + costOf(cell), 1));
          return row;
        });
        return rows === block.rows ? block : { ...block, rows, settledCount: 0 };
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

/** Cost of a line; even an empty line has an element. */
function costOf(line: readonly Inline[], rest: readonly Inline[] = []): number {
  return Math.max(1, line.length + rest.length);
}

/** The last rendered piece: the position up to which the visitor has read. */
function lastOf(body: HTMLElement): HTMLElement {
  let last = body;
  while (last.lastElementChild instanceof HTMLElement) last = last.lastElementChild;
  return last;
}

/** Stops following the end after "Show more": the visitor continues reading here. */
function stopFollowing(element: Element): void {
  for (
    let node: Node | null = element;
    node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode
  ) {
    if (!(node instanceof Element) || node.scrollTop === 0) continue;
    node.scrollTop -= 32; // more than the tolerance at the end
    return;
  }
}
