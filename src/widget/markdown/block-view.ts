import type { Block, ListItem } from '../../markdown/nodes.ts';
import { LazyCodeBlock } from './code/lazy-code-block.ts';
import { ChunkedChildren } from './chunked-children.ts';
import { InlineView } from './inline-view.ts';
import { TableContent } from './table-view.ts';
import { type BlockContent, formulaViews, type ViewContext } from './view-context.ts';

/** The blocks inside one parent, updated in place. Identical block objects are skipped. */
export class BlockListView {
  readonly #parentOf: (index: number) => Node;
  readonly #context: ViewContext;
  readonly #blocks: Block[] = [];
  readonly #views: BlockView[] = [];

  /** @param parentOf returns the parent of the block at an index; one for all, or one per chunk */
  constructor(parentOf: (index: number) => Node, context: ViewContext) {
    this.#parentOf = parentOf;
    this.#context = context;
  }

  /**
   * Renders a new list of blocks.
   * @param from blocks before this index have not changed
   */
  update(blocks: readonly Block[], from = 0): void {
    const views = this.#views;
    for (let index = from; index < blocks.length; index++) {
      const block = blocks[index];
      const view = views[index];
      if (!block || block === this.#blocks[index]) continue;
      const parent = this.#parentOf(index);
      const before = this.#firstNodeFrom(index + 1, parent);
      if (!view?.update(block, before)) {
        view?.remove();
        views[index] = createBlockView(parent, block, this.#context, before);
      }
      this.#blocks[index] = block;
    }
    this.truncate(blocks.length);
  }

  /** Removes the blocks from an index on. */
  truncate(length: number): void {
    for (const view of this.#views.splice(length)) view.remove();
    this.#blocks.length = length;
  }

  #firstNodeFrom(index: number, parent: Node): ChildNode | null {
    for (let at = index; at < this.#views.length; at++) {
      const first = this.#views[at]?.first;
      if (first) return first.parentNode === parent ? first : null;
    }
    return null;
  }
}

/** A rendered block. */
interface BlockView {
  /** The first node in the parent; undefined if the block is empty. */
  readonly first: ChildNode | undefined;
  /** Updates the block; returns false if it needs another element. */
  update(block: Block, before: ChildNode | null): boolean;
  remove(): void;
}

/** Renders a block into `parent`, before one of its nodes. */
function createBlockView(
  parent: Node,
  block: Block,
  context: ViewContext,
  before: ChildNode | null,
): BlockView {
  if (block.kind === 'paragraph' && block.bare) return createBareView(parent, block, context, before);
  const content = createContent(block, context);
  const { element } = content;
  parent.insertBefore(element, before);
  content.update(block);
  // nested blocks inherit the direction; code has its own. Set after filling: engines would scan the content again for
  // each added node
  if (parent instanceof HTMLDivElement && block.kind !== 'code') element.dir = 'auto';
  return { first: element, update: (other) => content.update(other), remove: () => element.remove() };
}

/** The text of a tight list item, which has no element of its own. */
function createBareView(
  parent: Node,
  block: Block,
  context: ViewContext,
  before: ChildNode | null,
): BlockView {
  const inline = new InlineView(parent, context);
  const view: BlockView = {
    get first() {
      return inline.first;
    },
    update: (other, next) => {
      if (other.kind !== 'paragraph' || !other.bare) return false;
      inline.update(other.rest, other.settled, next);
      return true;
    },
    remove: () => inline.remove(),
  };
  view.update(block, before);
  return view;
}

function createContent(block: Block, context: ViewContext): BlockContent {
  switch (block.kind) {
    case 'paragraph':
      return new TextContent(document.createElement('p'), context);
    case 'heading':
      return new TextContent(headingElement(block.level), context);
    case 'code':
      return new LazyCodeBlock(context);
    case 'quote':
      return new QuoteContent(context);
    case 'list':
      return new ListContent(block.ordered, context);
    case 'table':
      return new TableContent(context);
    case 'math':
      return formulaViews.block?.(context) ?? new RawContent();
    case 'raw':
      return new RawContent();
    case 'rule':
      return { element: document.createElement('hr'), update: (other) => other.kind === 'rule' };
  }
}

/**
 * Creates a heading below the levels of the panel's name and the speaker's. `#` and `##` get the same level, because
 * answers start with either.
 */
function headingElement(level: number): HTMLElement {
  const element = document.createElement(`h${String(level)}`);
  element.setAttribute('aria-level', String(Math.min(Math.max(level + 2, 4), 6)));
  return element;
}

/** A paragraph or heading. */
class TextContent implements BlockContent {
  readonly element: HTMLElement;
  readonly #inline: InlineView;

  constructor(element: HTMLElement, context: ViewContext) {
    this.element = element;
    this.#inline = new InlineView(element, context);
  }

  update(block: Block): boolean {
    const isHeading = block.kind === 'heading';
    if (!isHeading && (block.kind !== 'paragraph' || block.bare)) return false;
    if (this.element.localName !== (isHeading ? `h${String(block.level)}` : 'p')) return false;
    if (isHeading) this.#inline.update(block.children);
    else this.#inline.update(block.rest, block.settled);
    return true;
  }
}

class QuoteContent implements BlockContent {
  readonly element = document.createElement('blockquote');
  readonly #blocks: BlockListView;

  constructor(context: ViewContext) {
    this.#blocks = new BlockListView(() => this.element, context);
  }

  update(block: Block): boolean {
    if (block.kind !== 'quote') return false;
    this.#blocks.update(block.children);
    return true;
  }
}

/** A block that is shown as its source text. */
class RawContent implements BlockContent {
  readonly element = document.createElement('p');

  constructor() {
    this.element.className = 'raw';
  }

  update(block: Block): boolean {
    if (block.kind !== 'raw') return false;
    if (this.element.textContent !== block.text) this.element.textContent = block.text;
    return true;
  }
}

/** A list. Items beyond the first few are put into chunks. */
class ListContent implements BlockContent {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #chunks: ChunkedChildren;
  readonly #items: { item: ListItem; readonly view: ItemView }[] = [];
  #settled = 0;
  #source: readonly ListItem[] | undefined;

  constructor(ordered: boolean, context: ViewContext) {
    this.element = document.createElement(ordered ? 'ol' : 'ul');
    this.#context = context;
    this.#chunks = new ChunkedChildren(this.element, (first) => this.#createChunk(first));
  }

  update(block: Block): boolean {
    if (block.kind !== 'list' || block.ordered !== (this.element.localName === 'ol')) return false;
    if (this.element instanceof HTMLOListElement && block.start !== this.element.start) {
      this.element.start = block.start;
    }
    const from = block.items === this.#source ? this.#settled : 0;
    for (let index = from; index < block.items.length; index++) {
      const item = block.items[index];
      const shown = this.#items[index];
      if (!item || shown?.item === item) continue;
      if (shown) {
        shown.item = item;
        shown.view.update(item);
      } else {
        const view = new ItemView(this.#context);
        view.update(item);
        const parent = this.#chunks.parentOf(index);
        // inside a chunk, items need an explicit role
        if (parent.role) view.element.role = 'listitem';
        parent.append(view.element);
        this.#items.push({ item, view });
      }
    }
    for (const { view } of this.#items.splice(block.items.length)) view.element.remove();
    this.#chunks.trim(block.items.length);
    this.#source = block.items;
    this.#settled = block.settledCount;
    return true;
  }

  /** Creates a chunk: a nested list that assistive technology does not see. */
  #createChunk(first: number): { readonly outer: HTMLElement; readonly inner: HTMLElement } {
    const outer = document.createElement('li');
    const inner = document.createElement(this.element.localName);
    outer.className = 'more';
    outer.role = 'presentation';
    inner.role = 'presentation';
    if (inner instanceof HTMLOListElement && this.element instanceof HTMLOListElement) {
      inner.start = this.element.start + first;
    }
    outer.append(inner);
    return { outer, inner };
  }
}

class ItemView {
  readonly element = document.createElement('li');
  readonly #context: ViewContext;
  readonly #blocks: BlockListView;
  #box: HTMLInputElement | undefined;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#blocks = new BlockListView(() => this.element, context);
  }

  update(item: ListItem): void {
    this.#blocks.update(item.children);
    if (item.checked === undefined) {
      if (this.#box) this.#removeBox(this.#box);
      return;
    }
    this.#box ??= this.#createBox();
    this.#box.checked = item.checked;
    this.#updateState(this.#box);
  }

  #createBox(): HTMLInputElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    this.element.prepend(box);
    this.element.className = 'task';
    this.#context.labels.add(box, () => this.#updateState(box));
    return box;
  }

  #removeBox(box: HTMLInputElement): void {
    box.remove();
    this.element.removeAttribute('class');
    this.#box = undefined;
  }

  #updateState(box: HTMLInputElement): void {
    const label = this.#context.words.t(box.checked ? 'markdown.task-done' : 'markdown.task-open');
    if (box.ariaLabel !== label) box.ariaLabel = label;
  }
}
