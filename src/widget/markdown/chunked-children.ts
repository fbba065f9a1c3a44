/** Children per chunk: few enough to update the last chunk quickly, enough to keep the number of chunks low. */
export const chunkSize = 16;

interface Chunk {
  /** Goes into the long element. */
  readonly outer: HTMLElement;
  /** Contains the children. */
  readonly inner: HTMLElement;
}

/**
 * Distributes the children of a long element: the first few go directly into it, later ones into chunks, so that
 * layout of a new child does not slow down with the number of children. A child never moves.
 */
export class ChunkedChildren {
  readonly #root: HTMLElement;
  readonly #createChunk: (first: number) => Chunk;
  readonly #chunks: Chunk[] = [];

  /**
   * @param root the element that contains all of them
   * @param createChunk creates the chunk that starts at an index
   */
  constructor(root: HTMLElement, createChunk: (first: number) => Chunk) {
    this.#root = root;
    this.#createChunk = createChunk;
  }

  /** Returns the parent of the child at an index. */
  parentOf(index: number): HTMLElement {
    const chunk = Math.floor(index / chunkSize) - 1;
    if (chunk < 0) return this.#root;
    while (this.#chunks.length <= chunk) {
      const created = this.#createChunk((this.#chunks.length + 1) * chunkSize);
      this.#chunks.push(created);
      this.#root.append(created.outer);
    }
    return this.#chunks[chunk]?.inner ?? this.#root;
  }

  /** Removes chunks that a given number of children does not need. */
  trim(count: number): void {
    const needed = Math.max(0, Math.ceil(count / chunkSize) - 1);
    for (const { outer } of this.#chunks.splice(needed)) outer.remove();
  }
}
