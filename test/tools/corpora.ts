import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A corpus of cases written by other projects. */
export interface Corpus<Case> {
  readonly cases: readonly Case[];
}

/**
 * Reads a corpus from the directory next to the project.
 * @returns undefined when there is none; the test is then skipped
 */
export function corpus<Case>(name: string): Corpus<Case> | undefined {
  const path = fileURLToPath(new URL(`../../../shared/corpora/${name}.json`, import.meta.url));
  if (!existsSync(path)) return undefined;
  // the caller specifies the shape of the corpus
  return JSON.parse(readFileSync(path, 'utf8')) as Corpus<Case>;
}
