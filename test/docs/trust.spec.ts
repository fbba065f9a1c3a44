import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { load } from 'js-yaml';
import { filesWithAddresses, placeholdersIn } from '../tools/addresses.js';
import { conformanceReport } from '../tools/openacr.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const { scripts } = manifest;

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Record<string, { readonly 'timeout-minutes'?: number; readonly steps: readonly Step[] }>;
}
interface Step {
  readonly uses?: string;
  readonly run?: string;
}
const workflows = readdirSync(`${root}.github/workflows`).map((file) => `.github/workflows/${file}`);
// the checks below tell when a file has another shape
const stepsOf = (file: string): Step[] =>
  Object.values((load(read(file)) as Workflow).jobs).flatMap(({ steps }) => steps);

for (const file of workflows) {
  test(`${file} pins every action by its commit, and begins with read permissions only`, () => {
    const workflow = load(read(file)) as Workflow;
    expect(['read-all', { contents: 'read' }]).toContainEqual(workflow.permissions);
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
    const pins = stepsOf(file).flatMap(({ uses }) => uses ?? []);
    expect(pins.length).toBeGreaterThan(0);
    for (const pin of pins) {
      expect(pin).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/);
      expect(read(file)).toMatch(new RegExp(`${pin} # v\\d`));
    }
  });
}

test('the workflows run only scripts that exist', () => {
  const commands = workflows.flatMap(stepsOf).flatMap(({ run }) => run ?? []);
  const names = commands.flatMap((run) =>
    [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
  );
  expect(names).toEqual(expect.arrayContaining(['build', 'pack', 'sbom', 'test:engines']));
  expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('issue forms and Dependabot’s settings can be read', () => {
  const forms = readdirSync(`${root}.github/ISSUE_TEMPLATE`).map((file) => `.github/ISSUE_TEMPLATE/${file}`);
  for (const file of [...forms, '.github/dependabot.yml']) expect(load(read(file)), file).toBeTruthy();
});

test('the links of the policies lead to files', () => {
  for (const file of ['SECURITY.md', 'CONTRIBUTING.md'])
    for (const [, target = ''] of read(`.github/${file}`).matchAll(/\]\(([^)#]+)\)/g))
      expect(existsSync(`${root}.github/${target}`), target).toBe(true);
});

test('the addresses are set in package.json, and every file that repeats one has the same', () => {
  for (const [path, text] of Object.entries(filesWithAddresses(manifest)))
    expect(read(path), 'run: node test/tools/addresses.js').toBe(text);
  const changed = {
    author: { email: 'safety@quay.test' },
    repository: { url: 'git+https://forge.test/quay/chat.git' },
    homepage: 'https://quay.test/',
    bugs: { url: 'https://forge.test/quay/chat/issues' },
  };
  const files = filesWithAddresses(changed);
  expect(files['.github/SECURITY.md']).toContain('write to\nsafety@quay.test. Please');
  expect(files['demo/docs/security.md']).toContain('write to safety@quay.test');
  expect(files['.github/ISSUE_TEMPLATE/config.yml']).toContain(
    'url: https://forge.test/quay/chat/security/advisories/new',
  );
  expect(files['demo/docs/starters.md']).toContain('(https://forge.test/quay/chat/tree/main/demo/starters)');
  expect(placeholdersIn(changed)).toEqual([]);
  expect(placeholdersIn({ ...changed, author: { email: 'maintainers@agent-chat.example' } })).toEqual([
    'author',
  ]);
});

test('a release stops before it publishes placeholders', () => {
  const commands = stepsOf('.github/workflows/release.yml').map(({ run = '' }) => run);
  const check = commands.findIndex((run) => run.includes('addresses.js --release'));
  expect(check).toBeGreaterThan(-1);
  expect(check).toBeLessThan(commands.findIndex((run) => run.includes('npm publish')));
});

test('the conformance report is as the accessibility statement has it, for all criteria of its catalogue', () => {
  expect(read('demo/docs/openacr.yaml'), 'run: node test/tools/openacr.js').toBe(conformanceReport());
  const { chapters } = load(conformanceReport()) as {
    chapters: Record<string, { criteria: { num: string; components: { adherence: { level: string } }[] }[] }>;
  };
  const { success_criteria_level_a: a, success_criteria_level_aa: aa } = chapters;
  expect([a?.criteria.length, aa?.criteria.length]).toEqual([32, 24]);
  const levels = [...(a?.criteria ?? []), ...(aa?.criteria ?? [])].map(
    ({ components }) => components[0]?.adherence.level,
  );
  expect(levels.filter((level) => level !== 'supports' && level !== 'not-applicable')).toEqual([]);
});

test('every answer of the threat model names a test that exists', () => {
  const rows = [...read('demo/docs/threat-model.md').matchAll(/^\|[^|]+\|[^|]+\| `(test\/[^`]+)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(9);
  expect(rows.map(([, file = '']) => file).filter((file) => !existsSync(root + file))).toEqual([]);
});

test('the privacy page and the security page say the same of cookies and of the time before the first message', () => {
  for (const page of ['privacy', 'security']) {
    expect(read(`demo/docs/${page}.md`)).toMatch(/cookies? \| none|sets no cookie/);
    expect(read(`demo/docs/${page}.md`)).toMatch(/before the\s+first message/i);
  }
});
