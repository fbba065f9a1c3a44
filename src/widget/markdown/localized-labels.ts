/** Parts of rendered Markdown that depend on the language or the policy; a change updates only these. */
export class LocalizedLabels {
  readonly #labels = new WeakMap<Element, () => void>();

  /** Calls `updateLabel` now, and again when the language or the policy changes while the element is connected. */
  add(element: Element, updateLabel: () => void): void {
    this.#labels.set(element, updateLabel);
    updateLabel();
  }

  /** Updates every label within a parent. */
  update(parent: ParentNode): void {
    for (const element of parent.querySelectorAll('*')) this.#labels.get(element)?.();
  }
}
