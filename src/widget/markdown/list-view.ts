import type { Block, ListItem } from '../../markdown/nodes.ts';
import { BlockListView } from './block-list-view.ts';
import type { BlockContent } from './block-view.ts';
import { GroupedChildren } from './grouped-children.ts';
import type { ViewContext } from './view-context.ts';

/** A list. Its items, once more than a few, go into groups. */
export class ListContent implements BlockContent {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #groups: GroupedChildren;
  readonly #items: { item: ListItem; readonly view: ItemView }[] = [];
  #settled = 0;
  #source: readonly ListItem[] | undefined;

  constructor(ordered: boolean, context: ViewContext) {
    this.element = document.createElement(ordered ? 'ol' : 'ul');
    this.#context = context;
    this.#groups = new GroupedChildren(this.element, (first) => this.#createGroup(first));
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
        const parent = this.#groups.parentOf(index);
        // an item of a list that does not count would not count either
        if (parent.role) view.element.role = 'listitem';
        parent.append(view.element);
        this.#items.push({ item, view });
      }
    }
    for (const { view } of this.#items.splice(block.items.length)) view.element.remove();
    this.#groups.trim(block.items.length);
    this.#source = block.items;
    this.#settled = block.settled;
    return true;
  }

  /** More items of the same list: a list within an item, neither of which counts for assistive technology. */
  #createGroup(first: number): { readonly outer: HTMLElement; readonly inner: HTMLElement } {
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
    this.#sayState(this.#box);
  }

  #createBox(): HTMLInputElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    this.element.prepend(box);
    this.element.className = 'task';
    this.#context.labels.add(box, () => this.#sayState(box));
    return box;
  }

  #removeBox(box: HTMLInputElement): void {
    box.remove();
    this.element.removeAttribute('class');
    this.#box = undefined;
  }

  #sayState(box: HTMLInputElement): void {
    const label = this.#context.words.say(box.checked ? 'markdown.task-done' : 'markdown.task-open');
    if (box.ariaLabel !== label) box.ariaLabel = label;
  }
}
