/** What rendered Markdown says in the visitor's language. When that changes it is said anew, and nothing else moves. */
export class Labels {
  readonly #labels = new WeakMap<Element, () => void>();

  /** Says a label now, and again whenever the language changes while the element is shown. */
  add(element: Element, say: () => void): void {
    this.#labels.set(element, say);
    say();
  }

  /** Says every label within a parent again. */
  sayAgain(parent: ParentNode): void {
    for (const element of parent.querySelectorAll('*')) this.#labels.get(element)?.();
  }
}
