import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import { hostileSamples } from '../markdown/hostile-samples.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { corpus } from '../tools/corpora.ts';
import { inspectMarkdown, type Finding } from '../tools/inspect-markdown.ts';
import { pageServer } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

/*
 * Hostile Markdown in the built widget, in a page as strict as a host can make it. The text goes into the element that
 * shows answers; nothing of it may run, load, or stand in the page but what the element itself makes.
 */
const payloads = [
  ...hostileSamples,
  ...(corpus<{ input: string }>('xss')?.cases ?? []).map(({ input }) => input),
];
const contexts = {
  alone: (text: string) => text,
  'in a list item': (text: string) => `- before\n- ${text.replaceAll('\n', '\n  ')}\n- after`,
  'in a table cell': (text: string) => `| a | b |\n|---|---|\n| ${text.replaceAll('\n', ' ')} | x |`,
  'in a quote': (text: string) =>
    text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  'in link text': (text: string) =>
    `[${text}](https://elsewhere.example/) and ![${text}](https://elsewhere.example/i.png)`,
};

const server = pageServer(test);

async function visit(page: Page, options: { readonly policies?: string; readonly head?: string } = {}) {
  const { policies = 'agent-chat', head = '' } = options;
  const { origin } = server;
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) foreign.push(request.url());
  });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(watchForHarm);
  server.pages.set('/hostile.html', {
    html: `<!doctype html><html lang="en"><title>Host</title>${head}<body>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
    headers: {
      'content-security-policy':
        `default-src 'none'; script-src ${origin}; style-src ${origin}; connect-src ${origin}; img-src ${origin}; ` +
        `require-trusted-types-for 'script'; trusted-types ${policies}`,
    },
  });
  await page.goto(`${origin}/hostile.html`);
  await new ChatPage(page).open();
  await page.evaluate(() => customElements.whenDefined('agent-chat-markdown').then(() => undefined));
  return { foreign, faults };
}

/** Runs in the page before all else: keeps what a payload would do if it ran, and every violation of the policy. */
function watchForHarm(): void {
  const harm: string[] = [];
  Object.assign(window, { harm });
  for (const name of ['alert', 'prompt', 'confirm', 'print', 'open'] as const) {
    Object.assign(window, { [name]: () => void harm.push(`${name} was called`) });
  }
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    harm.push(`policy violated: ${violatedDirective} ${blockedURI} ${sample}`);
  });
}

const harmDone = (page: Page): Promise<readonly string[]> =>
  // kept by `watchForHarm`
  page.evaluate(() => (window as unknown as { harm: string[] }).harm);

test('hostile text does nothing and leaves nothing, whole and in pieces, wherever it stands', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { foreign, faults } = await visit(page);
  for (const [name, wrap] of Object.entries(contexts))
    await test.step(name, async () => {
      const findings: Finding[] = [];
      for (let at = 0; at < payloads.length; at += 100) {
        const texts = payloads.slice(at, at + 100).map(wrap);
        findings.push(
          ...(await page.evaluate(inspectMarkdown, { texts, baseUrl: server.origin, seed: at + 1 })),
        );
      }
      expect(findings.slice(0, 5)).toEqual([]);
      expect(await harmDone(page)).toEqual([]);
      expect(foreign).toEqual([]);
      expect(faults).toEqual([]);
    });
  expect(payloads.length).toBeGreaterThan(50);
  // and what the inspection looks for is found when it is there
  const texts = ['[good](https://a.example)'];
  const findings = await page.evaluate(inspectMarkdown, {
    texts,
    baseUrl: server.origin,
    seed: 1,
    spoil: true,
  });
  expect(findings.map(({ fault }) => fault)).toEqual(
    expect.arrayContaining(['attribute data-content', 'element iframe', 'address javascript:void(0)']),
  );
});

test('all corpus payloads are among those tried', () => {
  const cases = corpus<{ input: string }>('xss')?.cases;
  test.skip(!cases, 'skipped: ../shared/corpora is not there');
  expect(payloads.length - hostileSamples.length).toBe(cases?.length);
  expect(cases?.length).toBeGreaterThanOrEqual(801);
});

test('the widget works beside another version of Lit in the same page', async ({ page }) => {
  await build({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: {
      write: true,
      emptyOutDir: true,
      outDir: 'dist/test-lit-2',
      lib: { entry: 'test/fixtures/other-lit.ts', formats: ['es'], fileName: () => 'other-lit.js' },
    },
  });
  const { faults } = await visit(page, {
    policies: 'agent-chat lit-html',
    head: '<script type="module" src="/test-lit-2/other-lit.js"></script>',
  });
  await expect(page.locator('other-lit')).toHaveText('Lit 2 says hello');
  const findings = await page.evaluate(inspectMarkdown, {
    texts: [...hostileSamples],
    baseUrl: server.origin,
    seed: 3,
  });
  expect(findings).toEqual([]);
  expect(await harmDone(page)).toEqual([]);
  expect(faults).toEqual([]);
});
