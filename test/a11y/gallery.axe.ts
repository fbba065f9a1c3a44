import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { ServiceProcess } from '../tools/service-process.ts';
import { hostPage } from '../tools/shots-pages.js';
import { layouts, reached, sizes, states, themes, type State } from '../tools/shots-states.js';
import { axeFaults } from './axe-faults.ts';

let service: ServiceProcess;
let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-chat-axe-'));
  const module = fileURLToPath(new URL('../tools/shots-agent.js', import.meta.url));
  const agents = [{ kind: 'module', id: 'harbour', name: 'Harbour Help', module }];
  await writeFile(join(folder, 'agents.json'), JSON.stringify({ agents }));
  service = await ServiceProcess.start({ AGENTS_FILE: join(folder, 'agents.json'), RATE_LIMIT: '0' });
});
test.afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** States that a message leads to only when its answer has ended. */
const endedStates: readonly State[] = ['form', 'calendar', 'list'];

/** Puts a chat into a state of the gallery. */
async function goTo(chat: Locator, state: State): Promise<void> {
  await chat.evaluate((host) => (host as HTMLElementTagNameMap['agent-chat']).newThread());
  for (const message of states[state]) {
    await chat.evaluate(
      (host, text) => void (host as HTMLElementTagNameMap['agent-chat']).send(text),
      message,
    );
    if (endedStates.includes(state)) await expect(chat).toHaveJSProperty('connection', 'idle');
  }
  await reached(chat, state);
}

/** Opens the disclosures of a state, its validation errors or its help. Resolves with false if it has none. */
async function openEverything(page: Page, chat: Locator, state: State): Promise<boolean> {
  if (state === 'long' || state === 'error') {
    const folded = chat.locator('.toggle[aria-expanded=false]');
    const details = chat.locator('details:not([open]) > summary');
    for (const part of [folded, details]) while ((await part.count()) > 0) await part.first().click();
    return true;
  }
  if (state === 'form') {
    await chat.getByLabel('E-mail').fill('anna@');
    await chat.getByRole('button', { name: 'Book berth' }).click();
    await chat.locator('[aria-invalid=true]').first().waitFor();
    return true;
  }
  if (state !== 'empty') return false;
  await chat.locator('agent-chat-composer textarea').focus();
  await page.keyboard.press('F6');
  await page.keyboard.press('?');
  await chat.getByRole('dialog', { name: 'Keyboard and reading aloud' }).waitFor();
  return true;
}

for (const layout of layouts) {
  for (const theme of themes) {
    test(`axe finds nothing in any state of the gallery: ${layout}, ${theme}`, async ({ page }) => {
      test.setTimeout(600_000);
      await page.route('**/axe.html', (route) =>
        route.fulfill({ contentType: 'text/html', body: hostPage({ layout, theme }) }),
      );
      const found: string[] = [];
      for (const { width, height } of sizes) {
        await page.setViewportSize({ width, height });
        await page.goto(`${service.origin}/axe.html`);
        const chat = page.locator('agent-chat');
        await chat.locator('agent-chat-welcome').waitFor();
        const check = async (where: string): Promise<void> => {
          found.push(...(await axeFaults(page)).map((fault) => `${width}, ${where}: ${fault}`));
        };
        // the keys of a literal
        for (const state of Object.keys(states) as State[]) {
          await goTo(chat, state);
          await check(state);
          if (await openEverything(page, chat, state)) await check(`${state}, opened`);
          if (state === 'empty') await page.keyboard.press('Escape');
        }
      }
      expect(found).toEqual([]);
    });
  }
}
