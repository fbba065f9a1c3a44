import { moveElement } from './move-element.ts';

/** How long to wait for a container that is not on the page yet, in milliseconds. */
const patience = 10_000;

/** Moves an element into the container it was given, also when that comes into the page later. */
export class ContainerMount {
  /** The container never came: the element floats instead. */
  missing = false;
  /** The container has not come yet. */
  waiting = false;
  readonly #element: HTMLElement;
  readonly #onChange: () => void;
  readonly #onFault: (message: string) => void;
  #id = '';
  #observer: MutationObserver | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param told.onChange Told when the container came after a wait, or is waited for no longer.
   * @param told.onFault Told at once when the container is not there, and again when the wait is over.
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
    if (id === this.#id) return;
    this.#id = id;
    this.missing = false;
    this.stop();
    if (!id || this.#move()) return;
    this.waiting = true;
    this.#tell('Waiting 10 s for it.');
    this.#observer = new MutationObserver(() => {
      if (this.#move()) this.#onChange();
    });
    this.#observer.observe(document.documentElement, {
      childList: true,
      subtree: true,
      attributeFilter: ['id'],
    });
    this.#timer = setTimeout(() => {
      this.stop();
      this.missing = true;
      this.#tell('It floats in the corner instead.');
      this.#onChange();
    }, patience);
  }

  /** Waits no longer. */
  stop(): void {
    this.waiting = false;
    this.#observer?.disconnect();
    clearTimeout(this.#timer);
  }

  #move(): boolean {
    const container = document.getElementById(this.#id);
    if (!container || this.#element.contains(container)) return false;
    this.stop();
    if (!container.contains(this.#element)) moveElement(this.#element, container);
    return true;
  }

  #tell(then: string): void {
    this.#onFault(`container-id: no element has the id "${this.#id}". ${then}`);
  }
}
