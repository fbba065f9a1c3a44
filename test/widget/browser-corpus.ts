/** A corpus of cases written by other projects. */
interface Corpus<Case> {
  readonly cases: readonly Case[];
}

/** Reads a corpus from beside the project; undefined where it is missing. */
export async function browserCorpus<Case>(name: string): Promise<readonly Case[] | undefined> {
  const response = await fetch(`/__wds-outside-root__/1/shared/corpora/${name}.json`);
  if (!response.ok) return undefined;
  // the caller knows the shape of its corpus
  return ((await response.json()) as Corpus<Case>).cases;
}
