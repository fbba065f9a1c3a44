import {
  endOfDestination,
  endOfTitle,
  linkTarget,
  matchAt,
  skipSpace,
  type FoundTarget,
  type LinkTarget,
} from './link-destination.ts';

const definitionLabel = /^\[((?:[^[\]\\]|\\[^]){1,999})\]:[ \t]*\n?[ \t]*/;
const restOfLine = /[ \t]*(?:\n|$)/y;
const spaceBeforeTitle = /[ \t]*(?:\n[ \t]*)?/y;

/** Normalizes a label for comparison. The two case mappings together approximate the case folding of CommonMark. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** The link reference definition at the start of a paragraph. */
export function definitionAt(text: string): (FoundTarget & { readonly label: string }) | undefined {
  const head = definitionLabel.exec(text);
  const label = head && normalizeLabel(head[1] ?? '');
  if (!label) return undefined;
  const from = head[0].length;
  const end = endOfDestination(text, from);
  if (end < 0 || (end === from && text[from] !== '<')) return undefined;
  const destination = text.slice(from, end);
  matchAt(spaceBeforeTitle, text, end);
  const titleStart = spaceBeforeTitle.lastIndex;
  const titleEnd = titleStart > end ? endOfTitle(text, titleStart) : -1;
  if (titleEnd >= 0 && matchAt(restOfLine, text, titleEnd)) {
    const title = text.slice(titleStart, titleEnd);
    return { label, ...linkTarget(destination, title), end: restOfLine.lastIndex };
  }
  if (!matchAt(restOfLine, text, end)) return undefined;
  return { label, ...linkTarget(destination, ''), end: restOfLine.lastIndex };
}

/** Whether no later line can change the definition at the start of `text`. Without a title, one may follow. */
export function isComplete(text: string, { title, end }: FoundTarget): boolean {
  const next = skipSpace(text, end);
  return next < text.length && (title !== '' || !`"'(`.includes(text.charAt(next)));
}

/** The link reference definitions of a document. The first definition of a label wins. */
export class LinkReferences {
  /** Targets by label, in the order of their definitions. */
  readonly #targets = new Map<string, LinkTarget>();
  /** Labels that were looked up but not defined. */
  readonly #missed = new Set<string>();

  /** Number of defined labels. */
  get size(): number {
    return this.#targets.size;
  }

  /** Defines a normalized label, unless it is defined already. */
  define(label: string, target: LinkTarget): void {
    if (!this.#targets.has(label)) this.#targets.set(label, target);
  }

  /** The target of a label as written. */
  find(label: string): LinkTarget | undefined {
    const normalized = normalizeLabel(label);
    const target = this.#targets.get(normalized);
    if (!target && normalized) this.#missed.add(normalized);
    return target;
  }

  /** Of the labels after the first `size`, those that were looked up before they were defined. */
  lateLabels(size: number): string[] {
    return this.#labelsAfter(size).filter((label) => this.#missed.has(label));
  }

  /** Removes all definitions but the first `size`. */
  truncate(size: number): void {
    for (const label of this.#labelsAfter(size)) this.#targets.delete(label);
  }

  #labelsAfter(size: number): string[] {
    return size === this.size ? [] : [...this.#targets.keys()].slice(size);
  }
}
