import { moveElement } from '../platform/move-element.ts';

/** How long to wait for a container that is not on the page yet, in milliseconds. */
const patience = 10_000;

/**
 * Moves an element into the container it was given, also when that comes into the page later, or goes and comes again.
 * A comment keeps the place that the page gave the element: whoever takes that away takes the element away.
 */
export class ContainerMount {
  /** The container never came: the element floats instead. */
  missing = false;
  /** The container has not come yet. */
  waiting = false;
  readonly #element: HTMLElement;
  readonly #onChange: () => void;
  readonly #onFault: (message: string) => void;
  #id = '';
  /** Where it was moved into. */
  #container: Element | undefined;
  readonly #place = document.createComment('');
  readonly #observer = new MutationObserver(() => this.#follow());
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param told.onChange Told when the container came after a wait, or is waited for no longer.
   * @param told.onFault Told when the container is not there, or no longer, and when the wait is over.
   */
  constructor(
    element: HTMLElement,
    told: { readonly onChange: () => void; readonly onFault: (message: string) => void },
  ) {
    this.#element = element;
    this.#onChange = told.onChange;
    this.#onFault = told.onFault;
  }

  /** Makes sure the element stands in the container with this id; `''`: it stays where it is. */
  update(id: string): void {
    // one that was taken away is not brought back by a setting
    if (id === this.#id || !this.#element.isConnected) return;
    this.#id = id;
    this.missing = false;
    this.#stopWaiting();
    if (!id || this.#move()) return;
    this.waiting = true;
    this.#tell('Waiting 10 s for it.');
    this.#watch();
    this.#timer = setTimeout(() => {
      this.#stopWaiting();
      this.missing = true;
      this.#tell('It floats in the corner instead.');
      this.#onChange();
    }, patience);
  }

  /** The element left the page, or its place in it. */
  left(): void {
    const element = this.#element;
    if (element.isConnected) return; // it was only moved
    this.#stopWaiting();
    if (this.#place.isConnected && element.parentNode) {
      // its container went, not the place that it has on the page
      queueMicrotask(() => {
        if (!this.#follow()) this.#tell('The chat went with it, and comes back with it.');
      });
      return;
    }
    this.#forget();
    if (!this.missing) this.#id = ''; // put back, it looks for its container again
  }

  /** Where the page put the element; in no document while it stands there itself. */
  get place(): Comment {
    return this.#place;
  }

  /** The page changed. Gives whether the element stands where it belongs. */
  #follow(): boolean {
    const element = this.#element;
    if (mounted.has(element) && element.isConnected && !this.#container?.contains(element)) {
      // the page put it elsewhere, as after all of a page was swapped: from there it looks for its container anew
      const id = this.#id;
      this.#forget();
      this.#id = '';
      this.update(id);
      return true;
    }
    if (mounted.has(element) && !this.#place.isConnected) {
      // with what a framework took away or keeps for later; of its place alone nothing is left to go back to
      this.#id = '';
      if (this.#place.parentNode) this.#place.replaceWith(element);
      else element.remove();
      this.#forget();
      return true;
    }
    const wasWaiting = this.waiting;
    if (element.isConnected && !wasWaiting) return true;
    if (!this.#move()) return false;
    if (wasWaiting) this.#onChange();
    return true;
  }

  #move(): boolean {
    const element = this.#element;
    const container = this.#find();
    if (!container || element.contains(container)) return false;
    this.#stopWaiting();
    if (container.contains(this.#place)) {
      this.#place.replaceWith(element);
      this.#forget();
    }
    if (container.contains(element)) return true;
    if (!mounted.has(element)) this.#keepPlace();
    this.#container = container;
    moveElement(element, container);
    return true;
  }

  /** In the shadow root that the element was put into, else on the page. */
  #find(): Element | null {
    const from = mounted.has(this.#element) ? this.#place : this.#element;
    const root = from.getRootNode();
    return (
      (root instanceof ShadowRoot ? root.getElementById(this.#id) : null) ?? document.getElementById(this.#id)
    );
  }

  #keepPlace(): void {
    const { parentNode } = this.#element;
    if (!parentNode) return;
    parentNode.insertBefore(this.#place, this.#element);
    mounted.add(this.#element);
    this.#watch();
  }

  #forget(): void {
    this.#observer.disconnect();
    this.#place.remove();
    mounted.delete(this.#element);
  }

  #watch(): void {
    for (const root of new Set([document, this.#element.getRootNode()])) {
      this.#observer.observe(root, { childList: true, subtree: true, attributeFilter: ['id'] });
    }
  }

  #stopWaiting(): void {
    this.waiting = false;
    clearTimeout(this.#timer);
    if (!mounted.has(this.#element)) this.#observer.disconnect();
  }

  #tell(then: string): void {
    this.#onFault(`container-id: no element has the id "${this.#id}". ${then}`);
  }
}

/** Elements that stand in a container, away from the place that the page gave them. */
const mounted = new WeakSet<Node>();
