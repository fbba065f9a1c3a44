import type { Block } from '../../markdown/nodes.ts';
import { createBlockView, type BlockView } from './block-view.ts';
import type { ViewContext } from './view-context.ts';

/** The blocks within one parent, changed in place. A block that is the same object is not looked into. */
export class BlockListView {
  readonly #parentOf: (index: number) => Node;
  readonly #context: ViewContext;
  readonly #blocks: Block[] = [];
  readonly #views: BlockView[] = [];

  /** @param parentOf The parent of the block with an index; one for all, or one of a row of groups. */
  constructor(parentOf: (index: number) => Node, context: ViewContext) {
    this.#parentOf = parentOf;
    this.#context = context;
  }

  /**
   * Shows other blocks.
   * @param from Blocks before this index are known to be the same.
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
    for (const view of views.splice(blocks.length)) view.remove();
    this.#blocks.length = blocks.length;
  }

  #firstNodeFrom(index: number, parent: Node): ChildNode | null {
    for (let at = index; at < this.#views.length; at++) {
      const first = this.#views[at]?.first;
      if (first) return first.parentNode === parent ? first : null;
    }
    return null;
  }
}
