import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Folder of the documents. */
export const docsFolder = `${root}demo/docs/`;

/** Group of the documents that the table of contents does not list. */
export const unlistedGroup = 'more';

/** A document, with its place in the table of contents. */
export interface DocPage {
  /** Name without extension, such as `embed`. */
  readonly name: string;
  readonly title: string;
  /** From the table of contents; plain text. */
  readonly description: string;
  /** Group of the table of contents; `''` for the front page. */
  readonly group: string;
  /** Markdown. */
  readonly source: string;
  /** Folder of the document in the repository; `''` for the root. */
  readonly folder: string;
}

/** Reads all documents in the order of the tables of `index.md`. Those that it does not list come last, as a group. */
export function readPages(): readonly DocPage[] {
  const contents = readFileSync(`${docsFolder}index.md`, 'utf8');
  const listed = [...contents.matchAll(/^\| ([\w ]+) \| \|\n\|[-|]+\n((?:\|.*\n)+)/gm)].flatMap(
    ([, group = '', rows = '']) =>
      [...rows.matchAll(/^\| \[([^\]]+)\]\((\S+?)\.md\) \| (.*) \|$/gm)].map(
        ([, , path = '', description = '']) => ({ name: nameOf(path), group, description }),
      ),
  );
  const names = ['index', ...listed.map(({ name }) => name)];
  const files = readdirSync(docsFolder).filter((file) => file.endsWith('.md'));
  const unlisted = files.map((file) => file.slice(0, -3)).filter((name) => !names.includes(name));
  return [
    { name: 'index', group: '', description: 'Guides, reference and examples for agent-chat.' },
    ...listed,
    ...unlisted.map((name) => ({ name, group: unlistedGroup, description: '' })),
  ].map((page) => {
    const isChangelog = page.name === 'changelog';
    const source = readFileSync(isChangelog ? `${root}CHANGELOG.md` : `${docsFolder}${page.name}.md`, 'utf8');
    const folder = isChangelog ? '' : 'demo/docs';
    return { ...page, source, folder, title: /^# (.*)$/m.exec(source)?.[1] ?? page.name };
  });
}

/** `../../CHANGELOG` is the page `changelog`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** The groups of the table of contents with their pages, in order. */
export function groupsOf(pages: readonly DocPage[]): readonly (readonly [string, readonly DocPage[]])[] {
  const names = new Set(pages.map(({ group }) => group).filter((group) => group !== ''));
  return [...names].map((name) => [name, pages.filter(({ group }) => group === name)]);
}
