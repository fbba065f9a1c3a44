/** Children in one group: few enough that a change in the last group is cheap, enough that groups are few. */
export const chunkSize = 16;

/**
 * Where the children of a long element go: the first few directly into it, all later ones into groups, so that laying
 * out a new one does not grow with all that stand before it. A child is never moved.
 */
export class ChunkedChildren {
  readonly #root: HTMLElement;
  readonly #createGroup: (first: number) => { readonly outer: HTMLElement; readonly inner: HTMLElement };
  readonly #groups: { readonly outer: HTMLElement; readonly inner: HTMLElement }[] = [];

  /**
   * @param root The element all of them are in.
   * @param createGroup Makes the group whose first child has a given index: what goes into the root, and what the
   * children go into.
   */
  constructor(
    root: HTMLElement,
    createGroup: (first: number) => { readonly outer: HTMLElement; readonly inner: HTMLElement },
  ) {
    this.#root = root;
    this.#createGroup = createGroup;
  }

  /** The parent of the child with an index. */
  parentOf(index: number): HTMLElement {
    const group = Math.floor(index / chunkSize) - 1;
    if (group < 0) return this.#root;
    while (this.#groups.length <= group) {
      const made = this.#createGroup((this.#groups.length + 1) * chunkSize);
      this.#groups.push(made);
      this.#root.append(made.outer);
    }
    return this.#groups[group]?.inner ?? this.#root;
  }

  /** Takes away the groups that no child of a given number of them needs. */
  trim(count: number): void {
    const needed = Math.max(0, Math.ceil(count / chunkSize) - 1);
    for (const { outer } of this.#groups.splice(needed)) outer.remove();
  }
}
