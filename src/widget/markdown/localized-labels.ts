/** The parts of rendered Markdown that depend on the language or the policy; when those change, only these are updated. */
export class LocalizedLabels {
  readonly #labels = new WeakMap<Element, () => void>();

  /** Runs `say` now, and again whenever the language or the policy changes while the element is shown. */
  add(element: Element, say: () => void): void {
    this.#labels.set(element, say);
    say();
  }

  /** Updates every label within a parent. */
  update(parent: ParentNode): void {
    for (const element of parent.querySelectorAll('*')) this.#labels.get(element)?.();
  }
}
