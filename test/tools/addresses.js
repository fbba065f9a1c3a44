// The project's addresses are set once, in package.json: `author.email`, `repository`, `homepage` and `bugs`.
// `node test/tools/addresses.js` writes them into the files that repeat them, except for the conformance report, which
// `openacr.js` writes. With `--release` it fails while one of them is still the placeholder of this repository.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const placeholder = /github\.com\/agent-chat\/|@agent-chat\.example$/;

/** Where files repeat an address, and which one. */
const copies = {
  '.github/SECURITY.md': [/[\w.+-]+@[\w.-]+\w/, ({ author }) => author.email],
  '.github/ISSUE_TEMPLATE/config.yml': [/https:\S+(?=\/security\/advisories)/, repositoryPage],
  'demo/docs/security.md': [/[\w.+-]+@[\w.-]+\w/, ({ author }) => author.email],
  'demo/docs/starters.md': [/https:[^)\s]+(?=\/tree\/main\/demo\/starters)/, repositoryPage],
};

/**
 * The files that repeat addresses, as a manifest has them.
 * @param {object} manifest
 * @returns {Record<string, string>} texts by path
 */
export function filesWithAddresses(manifest) {
  const texts = Object.entries(copies).map(([path, [pattern, addressOf]]) => [
    path,
    readFileSync(root + path, 'utf8').replace(pattern, addressOf(manifest)),
  ]);
  return Object.fromEntries(texts);
}

/**
 * The members of a manifest whose addresses are placeholders.
 * @param {object} manifest
 * @returns {string[]}
 */
export function placeholdersIn({ author, repository, homepage, bugs }) {
  const addresses = { author: author.email, repository: repository.url, homepage, bugs: bugs.url };
  return Object.keys(addresses).filter((name) => placeholder.test(addresses[name]));
}

function repositoryPage({ repository }) {
  return repository.url.replace(/^git\+|\.git$/g, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  for (const [path, text] of Object.entries(filesWithAddresses(manifest))) writeFileSync(root + path, text);
  const unset = placeholdersIn(manifest);
  if (unset.length > 0 && process.argv.includes('--release')) {
    console.error(`package.json has placeholders: ${unset.join(', ')}. See demo/docs/publish.md.`);
    process.exitCode = 1;
  }
}
