import { expect, type Page } from '@playwright/test';
import { en, type PluralForms } from '../../src/widget/i18n/locales/en.ts';
import type { StringTable } from '../../src/widget/i18n/create-strings.ts';
import { en as contentEn } from '../../src/widget/i18n/locales/content/en.ts';
import { contentLoaders } from '../../src/widget/i18n/locales/content/index.ts';
import { languageNames, localeLoaders } from '../../src/widget/i18n/locales/index.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { clipped } from '../a11y/clipped.ts';
import { everyField } from '../a11y/every-field.ts';
import { everyItem } from '../a11y/every-item.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

async function visit(
  page: Page,
  { lang = 'en', around = '', attributes = '', inside = '' } = {},
): Promise<ChatPage> {
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="${lang}"><title>Host</title><body>
      <script async src="${service.origin}/agent-chat.js"></script>${around}
      <agent-chat agent-id="demo" token="${await service.token()}" ${attributes}>${inside}</agent-chat></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  await chat.answerAtOnce();
  return chat;
}

/** Every text a person meets in the widget: what is drawn, names, placeholders, titles, words of style sheets. */
function words(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const named = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt', 'data-drop'];
    const walk = (node: Node): void => {
      if (node instanceof Element) {
        // what was said is in the language it was said in
        if (node.matches('style, script, svg, pre, code, [aria-live=polite]')) return;
        for (const name of named) {
          const value = node.getAttribute(name);
          if (value) found.push(value);
        }
        for (const child of node.shadowRoot?.childNodes ?? []) walk(child);
        for (const child of node.childNodes) walk(child);
      } else if (node.nodeType === Node.TEXT_NODE && node.textContent?.trim()) {
        found.push(node.textContent.trim());
      }
    };
    const root = document.querySelector('agent-chat')?.shadowRoot;
    for (const child of root?.childNodes ?? []) walk(child);
    return found;
  });
}

/** Texts of the English table among others, with any value in the place of a placeholder. */
function englishIn(texts: readonly string[], table: StringTable): string[] {
  const own = patternOf(table);
  return texts.filter((text) => english.test(text) && !own.test(text));
}

const english = patternOf({ ...en, ...contentEn });

/** What matches the texts of a table. */
function patternOf(table: StringTable): RegExp {
  const texts = Object.values(table)
    .flatMap((entry: string | PluralForms) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
    .filter((text) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, '')))
    .map((text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+'));
  return new RegExp(`^(?:${texts.join('|')})$`);
}

/**
 * Answers with one item of every kind and a form with every field, in Greek, after a step; or turns the visitor away.
 */
function answerInGreek(): void {
  host.answer = async ({ method, url }, response, body) => {
    if (method !== 'POST' || !url?.endsWith('/runs/stream')) return false;
    if (body.includes('429')) {
      response.writeHead(429, { 'retry-after': '3000', 'content-type': 'application/json' }).end('{}');
      return true;
    }
    const answer = plainTurn(['']).map((event) =>
      event.event === 'message.created'
        ? {
            ...event,
            data: { ...event.data, message: { role: 'assistant', content: [...everyItem, everyField] } },
          }
        : event,
    );
    const [first, ...rest] = answer;
    const step = { step_id: 'βήμα', name: 'Βήμα', error: 'γιατί' };
    const events = ['run.step.started', 'run.step.failed'].map((event, index) => ({
      ...{ id: `1770000000000-0${index}`, event, data: { ...first?.data, ...step } },
    }));
    await sendEvents(response, framings['real SSE'], [...(first ? [first] : []), ...events, ...rest], 0);
    return true;
  };
}

test('no language has English text or cut-off text at 320 px, in any state', async ({ page }) => {
  test.setTimeout(240_000);
  answerInGreek();
  await page.setViewportSize({ width: 320, height: 640 });
  const chat = await visit(page, { attributes: `base-url="${host.origin}" storage="none"` });
  await chat.evaluate((element) => {
    element.uploadDocument = () => Promise.reject(new Error('no'));
  });
  const faults: string[] = [];
  const inEveryLanguage = async (state: string): Promise<void> => {
    for (const name of languageNames) {
      const table = { ...(await localeLoaders[name]()), ...(await contentLoaders[name]()) };
      await chat.element.evaluate((element, lang) => element.setAttribute('lang', lang), name);
      await expect(chat.panel).toHaveAttribute('lang', name);
      await expect(chat.composer).toHaveAttribute('placeholder', table['composer.placeholder']);
      await expect(chat.panel).toHaveAttribute('dir', /^(ar|he)$/.test(name) ? 'rtl' : 'ltr');
      for (const text of await clipped(page)) faults.push(`${name}, ${state}, cut off: ${text}`);
      await expect
        .poll(async () => englishIn(await words(page), table), `${name}, ${state}: no English text`)
        .toEqual([]);
    }
    await chat.element.evaluate((element) => element.setAttribute('lang', 'en'));
    await expect(chat.composer).toHaveAttribute('placeholder', en['composer.placeholder']);
  };
  await chat.open();
  await inEveryLanguage('welcome');
  await chat.composer.focus();
  await page.keyboard.press('F6');
  await page.keyboard.press('?');
  await chat.element.getByRole('dialog', { name: 'Keyboard and reading aloud' }).waitFor();
  await inEveryLanguage('help');
  await page.keyboard.press('Escape');

  await chat.say('1');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1, { timeout: 20_000 });
  await chat.element.locator('agent-chat-form [part~=form-submit]').last().click();
  await chat.element.locator('[aria-invalid=true]').first().waitFor();
  await chat.element.locator('.toggle').click();
  await chat.element.getByRole('button', { name: 'Bad answer' }).click();
  await chat.element
    .locator('agent-chat-file-upload input[type=file]')
    .setInputFiles({ name: 'α', mimeType: 'image/png', buffer: Buffer.from('x') });
  await inEveryLanguage('every item, a form with faults, steps, feedback');

  await chat.evaluate((element) => element.newThread());
  await chat.say('429');
  await expect(chat.notice).toBeVisible();
  await inEveryLanguage('a failure that has to wait');
  await page.context().setOffline(true);
  await chat.say('2');
  await expect(chat.element.locator('[part=header-status]')).toHaveText(en['status.offline']);
  await inEveryLanguage('offline');
  await page.context().setOffline(false);
  expect(faults).toEqual([]);
});

test('the language follows lang and the page, also while the chat is open; text and focus stay', async ({
  page,
}) => {
  const chat = await visit(page, { lang: 'de-AT' });
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen');
  await page.evaluate(() => (document.documentElement.lang = 'fr'));
  await expect(chat.launcher).toHaveAccessibleName('Ouvrir le chat');
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await chat.composer.fill('Bonjour');
  await page.evaluate(() => (document.documentElement.lang = 'ja'));
  await expect(chat.composer).toHaveAccessibleName('メッセージ');
  await chat.element.evaluate((element) => element.setAttribute('lang', 'he'));
  await expect(chat.panel).toHaveAttribute('dir', 'rtl');
  await expect(chat.composer).toHaveValue('Bonjour');
  await expect(chat.composer).toBeFocused();
  await chat.element.evaluate((element) => element.setAttribute('lang', 'zh-Hant-HK'));
  await expect(chat.composer).toHaveAccessibleName('訊息');
});

test('inside an element with another language the launcher uses that language', async ({ page }) => {
  const chat = await visit(page, { around: '<section lang="de_DE">' });
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen');
  await chat.open();
  await expect(chat.panel).toHaveAttribute('lang', 'de-DE');
});

isolatedTest('times are formatted for the locale', async ({ page }) => {
  await page.clock.setFixedTime(new Date(2026, 0, 5, 8, 5));
  const chat = await visit(page);
  await chat.open();
  await chat.say('Hello');
  const times = chat.element.locator('[part=day-mark]');
  await expect(times).toHaveText(['Today']);
  await page.clock.setFixedTime(new Date(2026, 0, 5, 10, 5));
  await chat.say('Again');
  await expect(times).toHaveText(['Today', /^Today 10:05\sAM$/]);
  await chat.element.evaluate((element) => element.setAttribute('lang', 'de'));
  await expect(times).toHaveText(['Heute', 'Heute 10:05']);
});

isolatedTest('messages from another year show the year', async ({ page }) => {
  await page.clock.setFixedTime(new Date(2026, 0, 5, 8, 5));
  const chat = await visit(page);
  await chat.open();
  await chat.say('Hello');
  const time = chat.element.locator('[part=day-mark]');
  await expect(time).toHaveText(/^Today/);
  await page.clock.setFixedTime(new Date(2026, 10, 20, 8, 5));
  await chat.element.evaluate((element) => element.setAttribute('lang', 'de'));
  await expect(time).toHaveText('Montag, 5. Januar um 08:05');
  await page.clock.setFixedTime(new Date(2027, 0, 4, 8, 5));
  await chat.element.evaluate((element) => element.setAttribute('lang', 'ja'));
  await expect(time).toHaveText('2026年1月5日月曜日 8:05');
});

test('a language without a table falls back to the browser’s, then to English', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'it-IT' });
  const page = await context.newPage();
  const chat = await visit(page, { lang: 'sv' });
  await expect(chat.launcher).toHaveAccessibleName('Apri la chat');
  await context.close();
});

test('an English page loads no other language', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  const chat = await visit(page);
  await chat.open();
  await chat.composer.fill('x');
  expect(fetched.filter((path) => /language|launcher|\/(de|ar|zh-cn)-/.test(path))).toEqual([]);
});

test('right to left mirrors the panel but not code', async ({ page }) => {
  const chat = await visit(page, { lang: 'ar' });
  await chat.open();
  await chat.say('/code');
  await chat.element.locator('agent-chat-turn-actions').waitFor({ timeout: 15_000 });
  const code = chat.element.locator('agent-chat-markdown pre').first();
  // the code module replaces the block
  await expect(code).toHaveCSS('direction', 'ltr');
  const box = await chat.panel.boundingBox();
  const close = await chat.element.locator('agent-chat-header [part=close]').boundingBox();
  expect((close?.x ?? 0) - (box?.x ?? 0)).toBeLessThan(60);
  const launcher = await chat.launcher.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 1280).toBe(true);
  expect(launcher).not.toBeNull();
});
