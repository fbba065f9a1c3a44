import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { snippets } from '../docs/snippets.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);
let integrity: string;

test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  const script = Buffer.from(await (await fetch(`${service.origin}/agent-chat.js`)).arrayBuffer());
  integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const [recording = ''] = snippets('').flatMap(({ text }) =>
    text.includes('recording.started') ? text : [],
  );
  host.answer = async (request, response) => {
    if (request.url === '/items.jsonl') {
      response.end(recordingOf(agentItems()));
      return true;
    }
    if (request.url === '/run.jsonl') {
      response.end(recording);
      return true;
    }
    if (request.url !== '/demo/token' && request.url !== '/chat-token') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token: await service.token() }));
    return true;
  };
});

/**
 * Replaces the documents' service, agent, script and its hash with those of this test. The token comes from the host,
 * which other origins may not ask.
 */
const ours = (text: string): string =>
  text
    .replaceAll(/https?:\/\/[\w.:]+\/(demo\/token|chat-token)/g, `${host.origin}/$1`)
    .replaceAll(/https:\/\/cdn\.jsdelivr\.net\/npm\/agent-chat@[\d.]+\/dist/g, service.origin)
    .replaceAll(/https:\/\/chat\.example\.com|http:\/\/localhost:8787/g, service.origin)
    .replaceAll('/node_modules/agent-chat/dist/', '/')
    .replaceAll(/(?<=agent(-id=|Id: |_id: )["'])harbour/g, 'echo')
    .replaceAll('sha384-…', integrity);

async function visit(page: Page, body: string): Promise<{ chat: ChatPage; faults: string[] }> {
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><body>${body}</body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  return { chat: new ChatPage(page), faults };
}

async function converse(chat: ChatPage): Promise<void> {
  await chat.evaluate((element) => element.show());
  await chat.answerAtOnce();
  expect(await chat.lastAnswer()).toBe('');
  await chat.say('hello');
  await expect.poll(() => chat.lastAnswer()).not.toBe('');
}

/** In one page, that of a visitor who comes for the first time each time. */
test('every HTML snippet in the documents gives a working chat', async ({ page }) => {
  test.setTimeout(120_000);
  await page.addInitScript('localStorage.clear(); sessionStorage.clear()');
  for (const [index, { document, text }] of snippets('html').entries())
    await test.step(`${document} (${index + 1})`, async () => {
      const isWhole = /<agent-chat|data-agent-id/.test(text); // else it brings the element only
      const element = isWhole ? '' : '<agent-chat agent-id="echo" token-url="/chat-token"></agent-chat>';
      const { chat, faults } = await visit(page, ours(text) + element);
      await expect(chat.element).toBeAttached();
      await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
      await converse(chat);
      expect(faults).toEqual([]);
    });
});

/** The items of "Events and content items" that an agent sends. */
function agentItems(): Record<string, unknown>[] {
  return snippets('json')
    .filter(({ document }) => document === 'demo/docs/events.md')
    .map(({ text }) => JSON.parse(text) as Record<string, unknown>)
    .filter(({ response_type }) => response_type !== 'form_operation');
}

function recordingOf(content: readonly Record<string, unknown>[]): string {
  const events = [
    { at: 0, event: 'recording.started', data: { message: 'Show me' } },
    { at: 10, event: 'run.started', data: {} },
    { at: 20, event: 'message.created', data: { message: { role: 'assistant', content } } },
    { at: 30, event: 'done', data: {} },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

test('every item in the documents is drawn, with all of its fields', async ({ page }) => {
  const { chat, faults } = await visit(
    page,
    `<script>window.told = []; document.addEventListener('agent-chat-diagnostic', ({ code }) => told.push(code));</script>
     <script async src="${service.origin}/agent-chat.js"></script>
     <agent-chat replay="/items.jsonl" storage="none" open></agent-chat>`,
  );
  const answer = chat.answers.last();
  await expect(answer.getByRole('button', { name: 'Announce' })).toBeVisible();
  for (const words of [
    'What may I look up?',
    'Free berths',
    'On the map',
    'Visitors lie on pontoon C.',
    'Not now',
  ])
    await expect(answer).toContainText(words);
  await expect(answer.getByRole('radio', { name: 'C' })).toBeChecked();
  await expect(answer.getByText('Details')).toHaveCount(0);
  expect(await page.evaluate('told')).toEqual([]);
  expect(faults).toEqual([]);
});

/** Scripts for a page; those that import from packages are for bundlers and for Node. */
const scripts = snippets('js').filter(({ text }) => !/ from '[@\w]/.test(text));
test('every JavaScript snippet in the documents runs, and the chat works', async ({ page }) => {
  test.setTimeout(120_000);
  await page.addInitScript('localStorage.clear(); sessionStorage.clear()');
  for (const [index, { document, text }] of scripts.entries())
    await test.step(`${document} (${index + 1})`, async () => {
      const placed = text.includes('createElement(') && text.includes("import 'agent-chat'");
      const { chat, faults } = await visit(
        page,
        `<script async src="${service.origin}/agent-chat.js"></script>
         ${placed ? '' : '<agent-chat agent-id="echo" token-url="/demo/token"></agent-chat>'}
         <script type="module">
           ${placed ? "await customElements.whenDefined('agent-chat');" : ''}
           ${ours(text).replace("import 'agent-chat';", '')}
           document.body.dataset.ran = 'yes';
         </script>`,
      );
      await expect(page.locator('body')).toHaveAttribute('data-ran', 'yes', { timeout: 20_000 });
      await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
      await converse(chat);
      expect(faults).toEqual([]);
    });
});

test('every style sheet in the documents is valid CSS', async ({ page }) => {
  await page.goto('about:blank');
  for (const { text } of snippets('css')) {
    const counts = await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      const whole = (list: CSSRuleList): CSSRule[] =>
        [...list].flatMap((rule) =>
          rule instanceof CSSGroupingRule ? [rule, ...whole(rule.cssRules)] : rule,
        );
      const rules = whole(sheet.cssRules);
      const styles = rules.flatMap((rule) => (rule instanceof CSSStyleRule ? rule.style.length : []));
      return [rules.length, styles.reduce((sum, length) => sum + length, 0)];
    }, text);
    const wanted = text.match(/\{/g)?.length ?? 0;
    expect(counts[0]).toBe(wanted);
    expect(counts[1]).toBeGreaterThanOrEqual(text.match(/;\n/g)?.length ?? 0);
  }
});

test('the documents’ JavaScript without a page runs in Node', async () => {
  const folder = fileURLToPath(new URL('../.results/snippets', import.meta.url));
  await mkdir(folder, { recursive: true });
  const alone = snippets('js').filter(({ text }) => text.includes("from 'agent-chat/"));
  expect(alone.length).toBeGreaterThan(1);
  for (const [index, { text }] of alone.entries()) {
    const file = `${folder}/snippet-${index}.mjs`;
    await writeFile(file, ours(text));
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toMatch(/run\.started|assistant: Hello/);
  }
  await rm(folder, { recursive: true });
});

for (const name of ['react', 'vue', 'svelte']) {
  test(`the ${name} page opens the chat and counts its answers`, async ({ page }) => {
    await page.goto(`${service.origin}/${name}.html`);
    await page.getByRole('button', { name: 'Ask the harbour office' }).click();
    const chat = new ChatPage(page);
    await chat.composer.waitFor();
    await expect(page.getByRole('button', { name: 'Close the chat', exact: true }).first()).toBeVisible();
    await chat.answerAtOnce();
    await chat.say('hello');
    await expect(page.locator('output')).toHaveText('1 answer', { timeout: 20_000 });
    await page.locator('#app > button').click();
    await expect(chat.panel).toBeHidden();
    await chat.launcher.click();
    await expect(page.locator('#app > button')).toHaveText('Close the chat');
  });
}
