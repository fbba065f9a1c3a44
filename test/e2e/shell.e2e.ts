import { expect, type Page, type Route } from '@playwright/test';
import { announcementsOf, recordAnnouncements } from '../a11y/announcements.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

// Until the panel's code has loaded, a shell stands in for it: what a visitor writes, sends or attaches there is never
// lost, however slow the network.

test.describe.configure({ mode: 'parallel' });
const host = pageServer(test);
/** The texts that the service got, in order. */
const asked: string[] = [];

test.beforeAll(async () => {
  host.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    asked.push(body);
    await sendEvents(response, framings['real SSE'], plainTurn(['Ahoy, ', 'visitor.']));
    return true;
  };
});
test.beforeEach(() => void asked.splice(0));

/** A page whose panel does not load before `letPanelLoad` is called. */
interface SlowPage {
  readonly chat: ChatPage;
  readonly field: ReturnType<Page['locator']>;
  readonly letPanelLoad: () => Promise<void>;
}

async function visit(
  page: Page,
  { attributes = '', lang = 'en', dir = 'ltr', html = '' } = {},
): Promise<SlowPage> {
  const held: Route[] = [];
  let isHeld = true;
  await page.route(/chunks\/runtime-/, (route) => {
    if (isHeld) held.push(route);
    else void route.continue();
  });
  const path = `/${test.info().testId}.html`;
  host.pages.set(path, {
    html: `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Slow</title><body>${
      html ||
      `<script async src="${host.origin}/agent-chat.js" data-agent-id="a" data-token="t" ${attributes}></script>`
    }</body></html>`,
  });
  await page.goto(`${host.origin}${path}`);
  return {
    chat: new ChatPage(page),
    field: page.locator('agent-chat').getByRole('textbox'),
    letPanelLoad: async () => {
      isHeld = false;
      for (const route of held) await route.continue();
    },
  };
}

const panelIsThere = async ({ composer, element }: ChatPage): Promise<void> => {
  await expect(composer).toBeVisible();
  await expect(element.locator('.shell')).toHaveCount(0);
  await expect(element.getByRole('textbox')).toHaveCount(1);
};

/** What the service was asked, in order, since the test began. */
const textsAsked = (): string[] =>
  asked.map(
    (body) =>
      (JSON.parse(body) as { message: { content: { text: string }[] } }).message.content[0]?.text ?? '',
  );

test('text, caret and focus pass to the panel while the visitor types', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.click();
  await expect(field).toBeFocused();
  await page.keyboard.type('Is a berth free on Friday?');
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowLeft');
  await expect(chat.composer).toHaveCount(0);
  const typed = page.keyboard.type('Saturday, perhaps Sunday, not ', { delay: 40 });
  await letPanelLoad();
  await typed;
  await panelIsThere(chat);
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue('Is a berth free on Saturday, perhaps Sunday, not Friday?');
});

test('messages sent before the panel is there are answered once each, in order', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.dblclick(); // the second click does not close it
  await field.fill('First question');
  await page.keyboard.press('Enter');
  await field.fill('Second question');
  await chat.element.getByRole('button', { name: 'Send' }).click();
  await expect(chat.element.locator('.shell p').filter({ hasText: 'question' })).toHaveCount(2);
  await field.fill('A third one, not sent');
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.answers).toHaveText([/Ahoy, visitor/, /Ahoy, visitor/]);
  expect(textsAsked()).toEqual(['First question', 'Second question']);
  await expect(chat.composer).toHaveValue('A third one, not sent');
});

/** What the page has stored for the shell. */
const storedTexts = (page: Page): Promise<string> =>
  page.evaluate(() => Object.entries(sessionStorage).find(([key]) => key.endsWith(' shell'))?.[1] ?? '');

test('a reload before the panel is there loses nothing and sends nothing twice', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.click();
  await field.pressSequentially('First question');
  await expect.poll(() => page.evaluate(() => sessionStorage.length), 'before the first message').toBe(0);
  await field.press('Enter');
  await field.pressSequentially('Second question');
  await field.press('Enter');
  await field.pressSequentially('A third one, not sent');
  await expect.poll(() => storedTexts(page)).toContain('not sent');
  await page.reload();
  await expect(chat.element.locator('.shell p').filter({ hasText: 'question' })).toHaveText([
    'First question',
    'Second question',
  ]);
  await expect(field).toHaveValue('A third one, not sent');
  await page.goto(`${page.url()}?another-page`);
  await expect(field).toHaveValue('A third one, not sent');
  await field.press('End');
  await field.pressSequentially(' yet');
  await expect(field).toHaveValue('A third one, not sent yet');
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.answers).toHaveText([/Ahoy, visitor/, /Ahoy, visitor/]);
  await expect(chat.composer).toHaveValue('A third one, not sent yet');
  expect(await storedTexts(page)).toBe('');
  await page.reload();
  await expect(chat.answers).toHaveText([/Ahoy, visitor/, /Ahoy, visitor/]);
  await expect(chat.composer).toHaveValue('A third one, not sent yet');
  expect(textsAsked()).toEqual(['First question', 'Second question']);
});

test('in place, what was sent before a reload is sent after it', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page, {
    html: `<div style="height: 500px; width: 380px"><agent-chat form-type="custom" agent-id="a" token="t" storage="local"></agent-chat></div><script async src="${host.origin}/agent-chat.js"></script>`,
  });
  await field.pressSequentially('Is a berth free?');
  await field.press('Enter');
  await expect.poll(() => storedTexts(page)).toContain('berth');
  await page.reload();
  await expect(chat.element.locator('.shell')).toContainText('Is a berth free?');
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.answers).toHaveText([/Ahoy, visitor/]);
  expect(textsAsked()).toEqual(['Is a berth free?']);
});

test('the shell stores nothing where the page forbids it, and shows nobody another visitor’s texts', async ({
  page,
}) => {
  const { chat, field } = await visit(page, { attributes: 'data-storage="none"' });
  const part = page.waitForResponse(/chunks\/host-page-/);
  await chat.launcher.click();
  await field.pressSequentially('First question');
  await field.press('Enter');
  await (await part).finished();
  await field.pressSequentially('More');
  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
  const other = await visit(page, { attributes: 'data-visitor="ada"' });
  await other.chat.launcher.click();
  await other.field.pressSequentially('Ada’s question');
  await other.field.press('Enter');
  await expect.poll(() => storedTexts(page)).toContain('Ada');
  const next = await visit(page, { attributes: 'data-visitor="ben"' });
  await next.chat.launcher.click();
  await next.field.pressSequentially('Ben’s question');
  await next.letPanelLoad();
  await panelIsThere(next.chat);
  await expect(next.chat.composer).toHaveValue('Ben’s question');
  await expect(next.chat.element).not.toContainText('Ada');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Ada');
  expect(textsAsked()).toEqual([]);
});

test('a double click opens the chat and leaves the focus in its field; the end of a long text stays in view when the panel takes over', async ({
  page,
}) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.dblclick();
  await expect(field).toBeFocused();
  await page.keyboard.insertText(`${'A line of the letter\n'.repeat(40)}The last line`);
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.composer).toBeFocused();
  const below = (input: HTMLElement | SVGElement): number =>
    input.scrollHeight - input.scrollTop - input.clientHeight;
  await expect.poll(() => chat.composer.evaluate(below)).toBeLessThan(8);
  await page.keyboard.press('Escape');
  await expect(chat.panel).toBeHidden();
  await chat.launcher.dblclick();
  await expect(chat.launcher).toHaveAttribute('aria-expanded', 'true');
  await expect(chat.composer).toBeFocused();
});

test('screen readers hear what was sent by keys, once; focus stays on Send when the panel takes over', async ({
  page,
}) => {
  await recordAnnouncements(page);
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.click();
  await field.fill('Is a berth free?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(chat.element.getByRole('log')).toHaveText('Is a berth free?');
  expect((await announcementsOf(page)).filter((text) => text.includes('berth'))).toEqual([
    'Is a berth free?',
  ]);
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.button).toBeFocused();
  await expect(chat.answers).toHaveText([/Ahoy, visitor/]);
});

test('a chat that was closed before its panel came keeps its text and stays closed', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.click();
  await field.fill('Not yet');
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(chat.launcher).toBeFocused();
  await letPanelLoad();
  await expect(chat.panel).toBeHidden();
  await expect(chat.element.locator('.shell')).toHaveCount(0);
  await chat.launcher.click();
  await expect(chat.composer).toHaveValue('Not yet');
});

test('an input method finishes its word before the panel takes over', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.launcher.click();
  await expect(field).toBeFocused();
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: 'みな', selectionStart: 2, selectionEnd: 2 });
  const loaded = page.waitForResponse(/chunks\/runtime-/);
  await letPanelLoad();
  await (await loaded).finished();
  await expect.poll(() => chat.evaluate((host) => host.conversation !== undefined)).toBe(true);
  await expect(chat.composer).toHaveCount(0);
  await input.send('Input.insertText', { text: '港' });
  await panelIsThere(chat);
  await expect(chat.composer).toHaveValue('港');
  await expect(chat.composer).toBeFocused();
});

const german: Spoken = { dir: 'ltr', placeholder: 'Nachricht schreiben', mark: 'KI' };
const arabic: Spoken = { dir: 'rtl', placeholder: 'اكتب رسالة', mark: 'ذكاء اصطناعي' };

test('the shell speaks the page’s language; a name that is not translated yet is not shown in English', async ({
  page,
}) => {
  const held: Route[] = [];
  await page.route(/chunks\/locale-/, (route) => void held.push(route));
  const { chat, field, letPanelLoad } = await visit(page, { lang: 'de' });
  await chat.launcher.click();
  const name = chat.element.locator('.shell [part=header-name]');
  await expect(name).toBeEmpty();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await page.unroute(/chunks\/locale-/);
  for (const route of held) await route.continue();
  await expect(name).toHaveText('Assistent');
  await shellSpeaks({ chat, field, letPanelLoad }, german);
  await panelSpeaks({ chat, field, letPanelLoad }, german);
});

for (const dir of ['rtl', ''])
  test(`the shell speaks Arabic and is where the panel will be, on a page ${dir ? 'from right to left' : 'without a direction'}`, async ({
    page,
  }) => {
    const slow = await visit(page, { lang: 'ar', dir });
    const { chat, field } = slow;
    await chat.launcher.click();
    await shellSpeaks(slow, arabic);
    await expect(chat.element.locator('.shell header')).toHaveCSS('direction', 'rtl');
    const shell = await chat.element.locator('.shell').boundingBox();
    await field.fill('Hello');
    await field.press('Enter');
    const bubble = await chat.element.locator('.shell').getByText('Hello').boundingBox();
    expect((bubble?.x ?? Infinity) - (shell?.x ?? 0), 'the side of the visitor’s messages').toBeLessThan(30);
    await panelSpeaks(slow, arabic);
  });

interface Spoken {
  readonly dir: string;
  readonly placeholder: string;
  readonly mark: string;
}

async function shellSpeaks({ chat, field }: SlowPage, { dir, placeholder, mark }: Spoken): Promise<void> {
  await expect(field).toHaveAttribute('placeholder', placeholder);
  await expect(field).toHaveCSS('direction', dir);
  await expect(chat.element.locator('.shell [part=disclosure-mark]')).toHaveText(mark);
}

async function panelSpeaks({ chat, letPanelLoad }: SlowPage, { placeholder }: Spoken): Promise<void> {
  const shell = await chat.element.locator('.shell').boundingBox();
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.composer).toHaveAttribute('placeholder', placeholder);
  expect(await chat.panel.boundingBox()).toEqual(shell);
}

test('in place, one can type at once; nothing takes focus from the page', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page, {
    html: `<input autofocus aria-label="Search the harbour"><div style="height: 500px; width: 380px"><agent-chat form-type="custom" agent-id="a" token="t"></agent-chat></div><script async src="${host.origin}/agent-chat.js"></script>`,
  });
  await expect(field).toBeVisible();
  await expect(page.getByLabel('Search the harbour')).toBeFocused();
  await field.fill('Hello from the page');
  const shell = await chat.element.locator('.shell').boundingBox();
  const early = await field.boundingBox();
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue('Hello from the page');
  expect(await chat.panel.boundingBox()).toEqual(shell);
  expect(await chat.composer.boundingBox()).toEqual(early);
});

test('a file that is pasted early is uploaded and sent with its message', async ({ page }) => {
  const { chat, field, letPanelLoad } = await visit(page);
  await chat.evaluate((element) => {
    element.uploadDocument = ({ name }: File) =>
      Promise.resolve(name === 'plan.pdf' ? '00000000-0000-4000-8000-00000000000a' : 'another file');
  });
  await chat.launcher.click();
  await field.fill('See the plan');
  await field.evaluate((input) => {
    const data = new DataTransfer();
    data.items.add(new File(['plan'], 'plan.pdf', { type: 'application/pdf' }));
    input.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, composed: true, cancelable: true }),
    );
  });
  await expect(chat.element.locator('.shell')).toContainText('plan.pdf');
  await page.keyboard.press('Enter');
  await letPanelLoad();
  await panelIsThere(chat);
  await expect(chat.answers).toHaveText([/Ahoy, visitor/]);
  expect(textsAsked()).toEqual(['See the plan']);
  expect(asked[0]).toContain('00000000-0000-4000-8000-00000000000a');
});

test('when the panel cannot be loaded, the shell says so and keeps the text', async ({ page }) => {
  let isBroken = true;
  await page.route(/chunks\/runtime-/, (route) => (isBroken ? route.abort() : route.fallback()));
  const { chat, field, letPanelLoad } = await visit(page);
  await letPanelLoad();
  await page.unroute(/chunks\/runtime-/);
  await page.route(/chunks\/runtime-/, (route) => (isBroken ? route.abort() : route.continue()));
  await chat.launcher.click();
  await field.fill('Kept');
  await expect(chat.element.getByRole('alert')).toHaveText('The chat could not be loaded. Try again');
  isBroken = false;
  await page.keyboard.press('Shift+Tab');
  const again = chat.element.getByRole('alert').getByRole('button');
  await expect(again).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await panelIsThere(chat);
  await expect(chat.composer).toHaveValue('Kept');
});

isolatedTest(
  'while the panel cannot be loaded, the shell says so once, and goes on trying',
  async ({ page }) => {
    await recordAnnouncements(page);
    await page.clock.install();
    const { chat, field } = await visit(page);
    let attempts = 0;
    let isBroken = true;
    await page.unroute(/chunks\/runtime-/);
    await page.route(/chunks\/runtime-/, (route) => {
      attempts += 1;
      return isBroken ? route.abort() : route.continue();
    });
    await chat.launcher.click();
    await field.fill('Kept');
    await expect(chat.element.getByRole('alert')).toHaveText('The chat could not be loaded. Try again');
    for (const count of [2, 3, 4]) {
      await page.clock.runFor(3000);
      await expect.poll(() => attempts).toBeGreaterThanOrEqual(count);
    }
    expect(await announcementsOf(page)).toEqual(['The chat could not be loaded. Try again']);
    isBroken = false;
    await page.clock.runFor(3000);
    await panelIsThere(chat);
    await expect(chat.composer).toHaveValue('Kept');
  },
);

test('a closed chat that could not be loaded loads when the network is back', async ({ page, context }) => {
  const { chat, letPanelLoad } = await visit(page);
  await letPanelLoad();
  await page.unroute(/chunks\/runtime-/);
  await chat.launcher.waitFor();
  await context.setOffline(true);
  await chat.launcher.hover();
  await expect(chat.launcher).toHaveAccessibleName('The chat could not be loaded. Try again');
  await context.setOffline(false);
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
});

isolatedTest.describe('on a phone', () => {
  isolatedTest.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  isolatedTest('the shell covers the page and does not raise the keyboard', async ({ page }) => {
    const { chat, field, letPanelLoad } = await visit(page);
    await chat.launcher.tap();
    await expect(chat.element.locator('.shell')).toBeFocused();
    expect(await chat.element.locator('.shell').boundingBox()).toEqual({
      x: 0,
      y: 0,
      width: 390,
      height: 800,
    });
    await chat.element.getByRole('button', { name: 'Close', exact: true }).tap();
    await expect(chat.launcher).toBeFocused();
    await chat.launcher.tap();
    await field.tap();
    await field.fill('From the pier');
    await letPanelLoad();
    await panelIsThere(chat);
    await expect(chat.composer).toBeFocused();
    await expect(chat.composer).toHaveValue('From the pier');
  });
});
