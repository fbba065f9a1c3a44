/** Link reference definitions, by normalised label. */
export interface References {
  [label: string]: { href: string; title: string };
}

/** What one parse knows beside its text; markdown-it hands it to every rule. */
export interface Environment {
  [key: string | symbol]: unknown;
  readonly references: References;
  /** More text may follow at the end of what is parsed: unfinished marks are shown as if finished. */
  readonly open: boolean;
}

/** No definitions yet, or those of `below` underneath. */
export function createReferences(below: References | null = null): References {
  // Object.create is untyped; a prototype of null keeps labels such as `CONSTRUCTOR` apart from real members.
  return Object.create(below) as References;
}

/** Whether more text may follow. */
export function isOpen(environment: Readonly<Record<string | symbol, unknown>>): boolean {
  return environment['open'] === true;
}
