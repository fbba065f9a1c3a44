import type { Block } from '../../markdown/nodes.ts';
import { BlockListView } from './block-list-view.ts';
import { CodeContent } from './code-content.ts';
import { InlineView } from './inline-view.ts';
import { ListContent } from './list-view.ts';
import { TableContent } from './table-view.ts';
import type { ViewContext } from './view-context.ts';

/** One block as it stands in the page. */
export interface BlockView {
  /** Its first node in the parent; a block may have none. */
  readonly first: ChildNode | undefined;
  /** Takes another state of the block; false when that needs another element. */
  update(block: Block, before: ChildNode | null): boolean;
  remove(): void;
}

/** Builds a block into `parent`, before a node of it. */
export function createBlockView(
  parent: Node,
  block: Block,
  context: ViewContext,
  before: ChildNode | null,
): BlockView {
  const view =
    block.kind === 'paragraph' && block.bare
      ? new BareView(parent, context)
      : new ElementView(createContent(block, context));
  if (view instanceof ElementView) parent.insertBefore(view.first, before);
  view.update(block, before);
  // one within another stands on that one's side; code has a side of its own
  if (view instanceof ElementView && parent instanceof HTMLDivElement && block.kind !== 'code') {
    // not before it is filled: engines would look through all of it again for each node
    view.first.dir = 'auto';
  }
  return view;
}

/** What fills the element of one kind of block. */
export interface BlockContent {
  readonly element: HTMLElement;
  update(block: Block): boolean;
}

/** A block with an element of its own. */
class ElementView implements BlockView {
  readonly #content: BlockContent;

  constructor(content: BlockContent) {
    this.#content = content;
  }

  get first(): HTMLElement {
    return this.#content.element;
  }

  update(block: Block): boolean {
    return this.#content.update(block);
  }

  remove(): void {
    this.#content.element.remove();
  }
}

/** The text of a tight list item, which has no element of its own. */
class BareView implements BlockView {
  readonly #inline: InlineView;

  constructor(parent: Node, context: ViewContext) {
    this.#inline = new InlineView(parent, context);
  }

  get first(): ChildNode | undefined {
    return this.#inline.first;
  }

  update(block: Block, before: ChildNode | null): boolean {
    if (block.kind !== 'paragraph' || !block.bare) return false;
    this.#inline.update(block.rest, block.settled, before);
    return true;
  }

  remove(): void {
    this.#inline.remove();
  }
}

function createContent(block: Block, context: ViewContext): BlockContent {
  switch (block.kind) {
    case 'paragraph':
      return new TextContent(document.createElement('p'), context);
    case 'heading':
      return new TextContent(headingElement(block.level), context);
    case 'code':
      return new CodeContent(context);
    case 'quote':
      return new QuoteContent(context);
    case 'list':
      return new ListContent(block.ordered, context);
    case 'table':
      return new TableContent(context);
    case 'raw':
      return new RawContent();
    case 'rule':
      return { element: document.createElement('hr'), update: (other) => other.kind === 'rule' };
  }
}

/** A heading within an answer: under the panel's name and who speaks. Answers begin with `#` or `##` alike. */
function headingElement(level: number): HTMLElement {
  const element = document.createElement(`h${String(level)}`);
  element.setAttribute('aria-level', String(Math.min(Math.max(level + 2, 4), 6)));
  return element;
}

/** A paragraph or a heading. */
class TextContent implements BlockContent {
  readonly element: HTMLElement;
  readonly #inline: InlineView;

  constructor(element: HTMLElement, context: ViewContext) {
    this.element = element;
    this.#inline = new InlineView(element, context);
  }

  update(block: Block): boolean {
    if (block.kind === 'heading') {
      if (this.element.localName !== `h${String(block.level)}`) return false;
      this.#inline.update(block.children);
      return true;
    }
    if (block.kind !== 'paragraph' || block.bare || this.element.localName !== 'p') return false;
    this.#inline.update(block.rest, block.settled);
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
