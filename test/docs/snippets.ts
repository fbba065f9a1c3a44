import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced piece of a document. */
export interface Snippet {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

/** The pages a reader of the package meets: README and every page of demo/docs. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(`${root}demo/docs`)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `demo/docs/${file}`),
];

/** Text of a document. */
export function textOf(document: string): string {
  return readFileSync(root + document, 'utf8');
}

/** The pieces of all documents in one language; those filled in from a file are that file's and left out. */
export function snippets(language: string): Snippet[] {
  return documents.flatMap((document) => {
    const own = textOf(document).replace(/<!-- source: [^]*?<!-- end -->/g, '');
    return [...own.matchAll(/^```(\w*)\n([^]*?)^```/gm)]
      .filter(([, found]) => found === language)
      .map(([, , text = '']) => ({ document, language, text }));
  });
}
