// Writes the accessibility conformance report, in the format OpenACR, from the tables of demo/docs/accessibility.md:
// `node test/tools/openacr.js`. @see https://github.com/GSA/openacr
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const report = `${root}demo/docs/openacr.yaml`;

/** Criteria of level AA; all others of the table are of level A. @source WCAG 2.2 */
const levelAA = new Set([
  ...['1.2.4', '1.2.5', '1.3.4', '1.3.5', '1.4.3', '1.4.4', '1.4.5', '1.4.10', '1.4.11', '1.4.12', '1.4.13'],
  ...['2.4.5', '2.4.6', '2.4.7', '2.4.11', '2.5.7', '2.5.8', '3.1.2', '3.2.3', '3.2.4', '3.3.3', '3.3.4'],
  ...['3.3.8', '4.1.3'],
]);
/** What the widget has nothing of. */
const notApplicable = new Set(['1.2.4', '2.5.4']);
/** In the catalogue, but gone from WCAG 2.2. */
const obsolete = { num: '4.1.1', how: 'Obsolete and removed from WCAG 2.2.' };

/** The report as YAML. */
export function conformanceReport() {
  const table = readFileSync(`${root}demo/docs/accessibility.md`, 'utf8');
  const rows = [...table.matchAll(/^\| (\d\.\d\.\d+) [^|]*\| ([^|]*)\| ([^|]*)\|$/gm)].map(
    ([, num, how, shownBy]) => ({ num, how: `${how.trim()}. Shown by the tests ${shownBy.trim()}.` }),
  );
  const chapter = (criteria) => ({ criteria: criteria.map(criterion) });
  return dump(
    {
      title: 'agent-chat Accessibility Conformance Report',
      product: { name: 'agent-chat', version: manifest.version, description: 'Chat widget for web pages.' },
      author: { name: manifest.author.name, email: manifest.author.email, website: manifest.homepage },
      version: 1,
      notes:
        'Covers the widget <agent-chat>. The page around it, and the content that an agent sends, are not part of it.',
      evaluation_methods_used:
        'Automated tests in Chromium, and in Firefox and WebKitGTK for the main task: axe-core on every state, keyboard walks, the text of the live regions, contrast of random brand colours, zoom, text spacing. Each criterion names its tests; the list is in the accessibility statement.',
      license: manifest.license,
      repository: manifest.repository.url.replace(/^git\+/, ''),
      feedback: manifest.bugs.url,
      catalog: '2.5-edition-wcag-2.2-en',
      chapters: {
        success_criteria_level_a: chapter(
          [...rows.filter(({ num }) => !levelAA.has(num)), obsolete].sort(byNumber),
        ),
        success_criteria_level_aa: chapter(rows.filter(({ num }) => levelAA.has(num))),
      },
    },
    { lineWidth: 110 },
  );
}

function criterion({ num, how }) {
  const level = notApplicable.has(num) ? 'not-applicable' : 'supports';
  return { num, components: [{ name: 'web', adherence: { level, notes: how } }] };
}

function byNumber(one, other) {
  return one.num.localeCompare(other.num, 'en', { numeric: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(report, conformanceReport());
