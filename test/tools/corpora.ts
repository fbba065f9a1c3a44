import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A corpus of cases written by other projects. */
export interface Corpus<Case> {
  readonly cases: readonly Case[];
}

/**
 * Reads a corpus from beside the project.
 * @returns undefined when the corpora are not there; the test then says that it is skipped.
 */
export function corpus<Case>(name: string): Corpus<Case> | undefined {
  const path = fileURLToPath(new URL(`../../../shared/corpora/${name}.json`, import.meta.url));
  if (!existsSync(path)) return undefined;
  // The caller names the shape its corpus has.
  return JSON.parse(readFileSync(path, 'utf8')) as Corpus<Case>;
}
