import type { ReactiveElement } from '@lit/reactive-element';
import { diagnose } from '../events/report-diagnostic.ts';
import { moveElement } from '../platform/move-element.ts';

/** How long to wait for a container that is missing from the page, in ms. */
const waitMs = 10_000;

/**
 * Moves an element into its container, even if the container appears later, or leaves and comes back. A comment
 * marks the element's original place; removing the comment removes the element.
 */
export class ContainerMount {
  /** True when the container never appeared; the element then floats. */
  missing = false;
  /** True while the container has not appeared yet. */
  waiting = false;
  readonly #element: ReactiveElement;
  #id = '';
  /** The container that the element is in. */
  #container: Element | undefined;
  readonly #placeholder = document.createComment('');
  readonly #observer = new MutationObserver(() => this.#follow());
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param element updated when its container appears after a wait, or the wait ends */
  constructor(element: ReactiveElement) {
    this.#element = element;
  }

  /** Moves the element into the container with this id; `''` leaves it in place. */
  update(id: string): void {
    // a new setting does not put back an element that was removed
    if (id === this.#id || !this.#element.isConnected) return;
    this.#id = id;
    this.missing = false;
    this.#stopWaiting();
    if (!id || this.#move()) return;
    this.waiting = true;
    this.#report('Waiting 10 s for it.');
    this.#watch();
    this.#timer = setTimeout(() => {
      this.#stopWaiting();
      this.missing = true;
      this.#report('It floats in the corner instead.');
      this.#element.requestUpdate();
    }, waitMs);
  }

  /** Called when the element or its placeholder was removed from the page. */
  hostDisconnected(): void {
    const element = this.#element;
    if (element.isConnected) return; // it was only moved
    this.#stopWaiting();
    if (this.#placeholder.isConnected && element.parentNode) {
      // the container was removed; the placeholder is still on the page
      queueMicrotask(() => {
        if (!this.#follow()) this.#report('The chat was removed with it and returns with it.');
      });
      return;
    }
    this.#reset();
    if (!this.missing) this.#id = ''; // look for the container again when the element is inserted again
  }

  /** The comment at the element's original place; detached while the element is there itself. */
  get placeholder(): Comment {
    return this.#placeholder;
  }

  /**
   * Called when the page changed.
   * @returns false when the container is missing
   */
  #follow(): boolean {
    const element = this.#element;
    if (mounted.has(element) && element.isConnected && !this.#container?.contains(element)) {
      // the page moved the element, for example by replacing its body: look for the container from the new place
      const id = this.#id;
      this.#reset();
      this.#id = '';
      this.update(id);
      return true;
    }
    if (mounted.has(element) && !this.#placeholder.isConnected) {
      if (element.isConnected && element.matches(createdByScript)) {
        // Turbo has morphed the page: it kept the chat, and removed the comment, which the new page does not have
        document.body.append(this.#placeholder);
        return true;
      }
      // a framework removed or detached the placeholder, so the element has no place to return to
      this.#id = '';
      if (this.#placeholder.parentNode) this.#placeholder.replaceWith(element);
      else element.remove();
      this.#reset();
      return true;
    }
    const wasWaiting = this.waiting;
    if (element.isConnected && !wasWaiting) return true;
    if (!this.#move()) return false;
    if (wasWaiting) this.#element.requestUpdate();
    return true;
  }

  #move(): boolean {
    const element = this.#element;
    const container = this.#find();
    if (!container || element.contains(container)) return false;
    this.#stopWaiting();
    if (container.contains(this.#placeholder)) {
      this.#placeholder.replaceWith(element);
      this.#reset();
    }
    if (container.contains(element)) return true;
    if (!mounted.has(element)) this.#keepPlace();
    this.#container = container;
    // a container that a library restores from its cache contains a copy of the chat
    if (element.matches(createdByScript))
      for (const copy of container.querySelectorAll(createdByScript)) copy.remove();
    moveElement(element, container);
    return true;
  }

  /** Finds the container in the element's own shadow root, or in the document. */
  #find(): Element | null {
    const from = mounted.has(this.#element) ? this.#placeholder : this.#element;
    const root = from.getRootNode();
    return (
      (root instanceof ShadowRoot ? root.getElementById(this.#id) : null) ?? document.getElementById(this.#id)
    );
  }

  #keepPlace(): void {
    const { parentNode } = this.#element;
    if (!parentNode) return;
    parentNode.insertBefore(this.#placeholder, this.#element);
    mounted.add(this.#element);
    this.#watch();
  }

  #reset(): void {
    this.#observer.disconnect();
    this.#placeholder.remove();
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

  #report(then: string): void {
    diagnose(
      this.#element,
      'container-missing',
      `container-id: no element has the id "${this.#id}". ${then}`,
    );
  }
}

/** A chat that a script tag has created, and its copies. */
const createdByScript = 'agent-chat[data-turbo-permanent]:not([agent-id])';

/** Elements that are in a container, away from their original place. */
const mounted = new WeakSet<Node>();
