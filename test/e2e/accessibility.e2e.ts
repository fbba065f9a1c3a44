import { expect, type Page } from '@playwright/test';
import { axeFaults } from '../a11y/axe-faults.ts';
import { clipped } from '../a11y/clipped.ts';
import { announcementsOf, recordAnnouncements } from '../a11y/announcements.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

async function visit(page: Page, attributes = '', agent = 'demo'): Promise<ChatPage> {
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><head><title>Host</title></head><body><main><h1>Shop</h1>
      <script async src="${service.origin}/agent-chat.js"></script>
      <agent-chat agent-id="${agent}" token="${await service.token()}" ${attributes}></agent-chat></main></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  return new ChatPage(page);
}

/** Asks and waits for the end of the answer, which arrives at once. */
async function ask(chat: ChatPage, text: string): Promise<void> {
  await chat.answerAtOnce();
  const ends = chat.element.locator('agent-chat-turn-actions, agent-chat-notice');
  const before = await ends.count();
  await chat.say(text);
  await expect.poll(() => ends.count(), { timeout: 20_000 }).toBeGreaterThan(before);
}

/** Opens all disclosures. */
async function unfold(chat: ChatPage): Promise<void> {
  const folded = chat.element.locator('agent-chat-steps .toggle[aria-expanded=false]');
  while ((await folded.count()) > 0) await folded.first().click();
}

test('axe finds no violation in any state of the panel', async ({ page }) => {
  const chat = await visit(page, 'heading="Harbour office"');
  const found: string[] = [];
  const check = async (state: string): Promise<void> => {
    found.push(...(await axeFaults(page)).map((fault) => `${state}: ${fault}`));
  };
  await chat.launcher.waitFor();
  await check('closed');
  await chat.open();
  await check('welcome');
  await chat.say('/stall');
  await expect(chat.button).toHaveAccessibleName('Stop');
  await check('working');
  await chat.button.click();
  await expect(chat.button).toHaveAccessibleName('Send');
  for (const command of ['/tools', '/markdown', '/citations', '/fail', '/form']) {
    await ask(chat, command);
    await unfold(chat);
  }
  await check('stopped, steps, tables, sources, failure, form');
  await chat.element.getByRole('button', { name: 'Announce' }).click();
  await chat.element.locator('[aria-invalid=true]').first().waitFor();
  await check('form with faults');
  expect(found).toEqual([]);
});

// the default look is walked through above; all themes, layouts and states together: `npm run test:axe`
for (const [theme, layout] of [['dark', 'fullscreen-overlay']] as const) {
  test(`axe finds no violation in a conversation and in the help: ${theme}, ${layout}`, async ({ page }) => {
    const chat = await visit(page, `open theme="${theme}" form-type="${layout}"`);
    await chat.composer.waitFor();
    await ask(chat, '/tools');
    await ask(chat, '/interrupt');
    await unfold(chat);
    const found = await axeFaults(page);
    await chat.composer.focus();
    await page.keyboard.press('F6');
    await page.keyboard.press('?');
    await chat.element.getByRole('dialog', { name: 'Keyboard and reading aloud' }).waitFor();
    expect([...found, ...(await axeFaults(page))]).toEqual([]);
  });
}

test('axe finds no violation in any content item, answerable or answered', async ({ page }) => {
  const chat = await visit(page, 'open');
  await chat.composer.waitFor();
  await ask(chat, '/items');
  const found = await axeFaults(page);
  await ask(chat, 'Thank you');
  expect([...found, ...(await axeFaults(page))]).toEqual([]);
});

test('the accessibility tree of a conversation is what a screen reader needs', async ({ page }) => {
  const answer =
    '## Hours\n\nThe office opens at **eight**.\n\n- Monday\n- Tuesday\n\n```js\nopen();\n```\n\n| Day | Hour |\n|---|---|\n| Mon | 8 |';
  host.answer = async ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith('/runs/stream')) return false;
    await sendEvents(response, framings['real SSE'], plainTurn([answer]), 0);
    return true;
  };
  const chat = await visit(page, `base-url="${host.origin}" heading="Harbour office"`);
  await chat.open();
  await ask(chat, 'When do you open?');
  await expect(chat.element.locator('agent-chat-markdown .code').first()).toBeVisible();
  await expect(chat.element.locator('agent-chat-markdown h2')).toHaveAttribute('aria-level', '4');
  await expect(chat.element.locator('agent-chat-markdown code')).toHaveText('open();');
  await expect(chat.panel).toMatchAriaSnapshot(`
    - dialog "Chat with Harbour office":
      - button "Keyboard and reading aloud"
      - heading "Harbour office" [level=2]
      - paragraph: Online
      - button "New chat"
      - button "Expand"
      - button "Close"
      - log "Conversation":
        - paragraph:
          - time: /Today/
        - article "You said":
          - heading "You said" [level=3]
          - paragraph: When do you open?
          - button "Edit"
        - article "Harbour office said":
          - heading "Harbour office said" [level=3]
          - heading "Hours"
          - paragraph:
            - text: The office opens at
            - strong: eight
            - text: .
          - list:
            - listitem: Monday
            - listitem: Tuesday
          - group "Code JavaScript":
            - text: JavaScript
            - button "Wrap"
            - button "Copy"
            - code
          - group "Table":
            - table:
              - rowgroup:
                - row "Day Hour":
                  - columnheader "Day"
                  - columnheader "Hour"
              - rowgroup:
                - row "Mon 8":
                  - cell "Mon"
                  - cell "8"
          - group "Actions for this answer":
            - button "Copy"
            - button "Good answer"
            - button "Bad answer"
            - button "Answer again"
      - textbox "Message":
        - /placeholder: Write a message
      - button "Send" [disabled]
  `);
});

test('a screen reader finds a formula as mathematics and hears no source of it', async ({ page }) => {
  await recordAnnouncements(page);
  const chat = await visit(page, '', 'echo');
  await chat.open();
  await chat.answerAtOnce();
  await chat.evaluate((element) => void element.send('Half is \\(\\frac{1}{2}\\), a root \\(\\sqrt{a+b}\\)'));
  await expect(chat.answers.locator('math')).toHaveCount(2);
  await expect
    .poll(() => announcementsOf(page))
    .toContainEqual(expect.stringMatching(/said: Half is (1\/2|Formula), a root Formula$/));
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => String(role?.value));
  expect(roles).toEqual(expect.arrayContaining(['MathMLMath', 'MathMLFraction', 'MathMLSquareRoot']));
});

test('each item of a long list is a list item for screen readers', async ({ page }) => {
  const chat = await visit(page, '', 'echo');
  await chat.open();
  await chat.answerAtOnce();
  const lines = Array.from({ length: 40 }, (_, index) => `- Berth ${index + 1}`);
  await chat.evaluate((element, text) => void element.send(text), lines.join('\n'));
  await expect.poll(() => chat.lastAnswer()).toContain('Berth 40');
  await expect(chat.answers.getByRole('listitem')).toHaveCount(lines.length);
  await expect(chat.answers.getByRole('list')).toHaveCount(1);
});

test('the panel adds no page landmarks', async ({ page }) => {
  host.pages.set('/bare.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><header>Shop</header><main>Goods</main>
      <footer>Imprint</footer><agent-chat agent-id="demo" token="${await service.token()}" open></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/bare.html`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await ask(chat, '/citations');
  await chat.element.getByRole('button', { name: /^Source 1/ }).click();
  await expect(chat.element.locator('.excerpt')).toBeFocused();
  const browser = await page.context().newCDPSession(page);
  const { nodes } = await browser.send('Accessibility.getFullAXTree');
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => String(role?.value));
  expect(roles.filter((role) => /^(banner|main|contentinfo|region|complementary)$/.test(role))).toEqual([
    'banner',
    'main',
    'contentinfo',
  ]);
});

/** Controls smaller than 24 by 24 px whose 24 px circle touches another control. WCAG 2.5.8. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walk = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (!element.matches('button, input, select, textarea, summary, [role=option]')) continue;
        const label = element.matches('input') ? element.closest('label') : null;
        const box = (label ?? element).getBoundingClientRect();
        // a mark in a line of text reaches further than it is drawn
        const reach = getComputedStyle(element, '::after');
        const more = reach.position === 'absolute' ? Math.max(0, -parseFloat(reach.top)) * 2 : 0;
        if (box.width < 2 || element.matches('.help')) continue;
        const [width, height] = [box.width + more, box.height + more];
        if (width < 23.9 || height < 23.9) {
          found.push(`${element.getAttribute('aria-label') ?? element.textContent} ${width}×${height}`);
        }
      }
    };
    const root = document.querySelector('agent-chat')?.shadowRoot;
    if (root) walk(root);
    return found;
  });
}

test('every control is at least 24 by 24 pixels', async ({ page }) => {
  const chat = await visit(page);
  await chat.open();
  for (const command of ['/tools', '/items', '/form', '/code', '/citations']) {
    await ask(chat, command);
    await unfold(chat);
    expect(await smallTargets(page)).toEqual([]);
  }
});

test('at 200 % and 400 % zoom everything is reachable and nothing scrolls sideways', async ({ page }) => {
  const chat = await visit(page);
  await chat.open();
  await ask(chat, '/markdown');
  for (const zoom of [2, 4]) {
    await page.setViewportSize({ width: 1280 / zoom, height: 1024 / zoom });
    await expect(chat.composer).toBeInViewport({ ratio: 1 });
    await expect(chat.button).toBeInViewport({ ratio: 1 });
    const box = await chat.panel.boundingBox();
    expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 / zoom + 1).toBe(true);
    const scroller = chat.element.getByRole('log');
    expect(
      await scroller.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(1);
    expect((await scroller.boundingBox())?.height ?? 0).toBeGreaterThan(60);
    expect(await clipped(page)).toEqual([]);
  }
});

test('at 400 % on a laptop some lines stay visible while typing, and keys scroll to the rest', async ({
  page,
}) => {
  const chat = await visit(page);
  await chat.evaluate((element) => (element.header = { disclaimer: 'Answers can be wrong.' }));
  const height = 162;
  await page.setViewportSize({ width: 341, height });
  await chat.open();
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await ask(chat, '/markdown');
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  const log = await chat.element.getByRole('log').boundingBox();
  const footer = await chat.element.locator('[part=footer]').boundingBox();
  expect((footer?.y ?? 0) - Math.max(0, log?.y ?? height)).toBeGreaterThan(60);
  await page.keyboard.press('F6');
  await expect(chat.element.getByRole('button', { name: 'Conversations', exact: true })).toBeFocused();
  await expect(chat.element.getByRole('button', { name: 'Close', exact: true })).toBeInViewport({ ratio: 1 });
  await chat.composer.focus();
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('?');
  const help = chat.element.locator('agent-chat-help');
  await expect(help).toBeInViewport({ ratio: 1 });
  expect((await help.boundingBox())?.height).toBe(height);
});

test('with forced colours focus, buttons and the visitor’s messages have visible borders', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const chat = await visit(page);
  await chat.open();
  await ask(chat, 'Hello');
  const edge = (selector: string): Promise<string> =>
    chat.element
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).borderTopStyle);
  expect(await edge('agent-chat-composer .main')).toBe('solid');
  expect(await edge('agent-chat-visitor-message .block')).toBe('solid');
  expect(await edge('agent-chat-panel .panel')).toBe('solid');
  await page.keyboard.press('Shift+F6');
  const ring = await chat.element
    .getByRole('log')
    .evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(ring).toBe('solid');
});
