import { expect, type Locator } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import { addScreenKeyboard, heightLeft, isKeyboardUp, phone, swipe } from '../tools/phone.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.use(phone);
test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

const settings = {
  starters: [
    { title: 'Find a berth', description: 'By length and dates', prompt: '/long 3000' },
    { title: 'When is high water?' },
    { title: 'What can you show?', prompt: '/help' },
  ],
  header: { disclaimer: 'Answers may be wrong.' },
};

const photo = { name: 'boat.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(2_000_000, 1) };
const documentId = '5d1f3c1e-0000-4000-8000-0000000000d1';

/** Where an element is in the window. */
async function placeOf(element: Locator): Promise<{ top: number; bottom: number }> {
  const { y, height } = (await element.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  return { top: y, bottom: y + height };
}

test('journey 2: a visitor on a phone reads the starters, asks, reads a long answer from its beginning, answers a form, attaches a photo, goes back to the page, returns and turns the phone', async ({
  page,
  context,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await addScreenKeyboard(context);
  const paragraphs =
    '<p>A quiet harbour, an hour from the city, with water and power at every berth.</p>'.repeat(30);
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Marina</title><body>${paragraphs}
      <agent-chat agent-id="demo" token="${await service.token()}">
        <script type="application/json">${JSON.stringify(settings)}</script></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  await chat.evaluate((element, id) => (element.uploadDocument = () => Promise.resolve(id)), documentId);
  const header = chat.element.locator('agent-chat-header');
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  const actions = chat.element.locator('agent-chat-turn-actions');
  const pageTop = (): Promise<number> => page.evaluate(() => Math.round(scrollY));

  /** Header, transcript and composer stand within what the keyboard leaves, and nothing but the transcript scrolls. */
  const isWhole = async (): Promise<void> => {
    const room = await heightLeft(page);
    await expect.poll(async () => (await placeOf(chat.panel)).bottom).toBeLessThanOrEqual(room);
    await expect.poll(async () => (await placeOf(header)).top).toBe(0);
    await expect.poll(async () => (await placeOf(chat.composer)).bottom).toBeLessThanOrEqual(room);
    expect(await chat.panel.evaluate((panel) => panel.scrollTop)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  };

  await test.step('reads the starters before any keyboard', async () => {
    await swipe(page, { x: 195, y: 600 }, -300);
    await expect.poll(pageTop).toBeGreaterThan(100);
    await chat.launcher.tap();
    await expect(chat.element).toBeFocused();
    await expect(chat.element.getByText('What can you show?')).toBeInViewport({ ratio: 1 });
    expect(await isKeyboardUp(page)).toBe(false);
    await isWhole();
  });
  const readPage = await pageTop();

  await test.step('asks, and reads a long answer from its beginning while it is written', async () => {
    await chat.element.getByText('Find a berth').tap();
    const question = chat.element.locator('agent-chat-visitor-message');
    const below = chat.element.getByRole('button', { name: 'New below' });
    await expect(below).toBeVisible();
    const { top } = await placeOf(question);
    expect(top).toBeGreaterThan(50);
    await expect(actions).toHaveCount(1);
    expect((await placeOf(question)).top).toBeCloseTo(top, 0);
    const end = chat.answers.last().locator('p').last();
    await expect(end).not.toBeInViewport();
    await below.tap();
    await expect(end).toBeInViewport();
    expect(await isKeyboardUp(page)).toBe(false);
    expect(await pageTop()).toBe(readPage);
    // what follows is answered at once
    await chat.answerAtOnce();
  });

  await test.step('writes above the keyboard', async () => {
    await chat.composer.tap();
    await expect.poll(() => isKeyboardUp(page)).toBe(true);
    await isWhole();
    await expect(chat.answers.last().locator('p').last()).toBeInViewport();
    await page.keyboard.type('I arrive on Friday.\n');
    await expect(actions).toHaveCount(2);
    await isWhole();
  });

  await test.step('answers a form', async () => {
    await page.keyboard.type('/form\n');
    const form = chat.element.locator('agent-chat-form');
    await expect(form.getByLabel('Name of the boat')).toBeInViewport();
    for (const [label, text] of [
      ['Name of the boat', 'Marigold'],
      ['Length in metres', '11.5'],
    ] as const) {
      await form.getByLabel(label).tap();
      await expect(form.getByLabel(label)).toBeFocused();
      expect((await placeOf(form.getByLabel(label))).bottom).toBeLessThan((await placeOf(chat.composer)).top);
      // as slowly as a thumb: the next field is tapped at the same place, within 300 ms that is a double tap
      await page.keyboard.type(text, { delay: 50 });
      await isWhole();
      // all of the little room is the form's
      await expect(chat.element.getByRole('button', { name: 'New below' })).toHaveCount(0);
    }
    await form.getByLabel('Day of arrival').fill('2026-12-01');
    await form.getByRole('button', { name: 'Announce' }).tap();
    await expect(chat.answers.last()).toContainText('Marigold');
    await expect(actions).toHaveCount(4);
    await expect(chat.answers.last()).toBeInViewport();
    expect(await isKeyboardUp(page)).toBe(false);
    await isWhole();
  });

  await test.step('attaches a photo', async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      chat.element.getByRole('button', { name: 'Attach documents' }).tap(),
    ]);
    await chooser.setFiles(photo);
    await expect(chat.element.getByText('boat.jpg', { exact: true })).toBeInViewport();
    await isWhole();
    const request = page.waitForRequest((sent) => sent.url().endsWith('/runs/stream'));
    await chat.composer.tap();
    await page.keyboard.type('This is my boat.');
    await chat.button.tap();
    expect((await request).postData()).toContain(documentId);
    const sent = chat.element.getByRole('list', { name: '1 document attached' });
    await expect(sent).toContainText(/boat\.jpg\s*2 MB/);
    await expect(actions).toHaveCount(5);
    await isWhole();
  });

  const end = chat.element.locator('agent-chat-turn').last();
  const isAtEnd = async (): Promise<void> => {
    const distance = async () => (await placeOf(end)).bottom - (await placeOf(scroller)).bottom;
    await expect.poll(async () => Math.abs(await distance())).toBeLessThan(40);
  };

  await test.step('goes back to the page, and returns to the conversation as it was', async () => {
    await chat.element.getByRole('button', { name: 'Close', exact: true }).tap();
    await expect(chat.panel).toBeHidden();
    expect(await pageTop()).toBe(readPage);
    await swipe(page, { x: 195, y: 400 }, 200);
    await expect.poll(pageTop).toBeLessThan(readPage);
    await chat.launcher.tap();
    await expect(chat.element).toBeFocused();
    await expect(chat.element.locator('agent-chat-turn')).toHaveCount(5);
    await isAtEnd();
    expect(await isKeyboardUp(page)).toBe(false);
    await isWhole();
  });

  await test.step('turns the phone, writes there, and turns it back', async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await isAtEnd();
    await isWhole();
    await chat.composer.tap();
    await expect.poll(() => heightLeft(page)).toBe(195);
    await expect.poll(async () => (await placeOf(chat.composer)).bottom).toBeLessThanOrEqual(195);
    // enough is left to read what is answered
    await expect.poll(() => scroller.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(90);
    await isAtEnd();
    await page.keyboard.type('Thank you');
    await page.setViewportSize({ width: 390, height: 844 });
    await isWhole();
    await expect(chat.composer).toHaveValue('Thank you');
    await page.keyboard.press('Enter');
    await expect(actions).toHaveCount(6);
    await expect(chat.answers.last()).toBeInViewport();
    await isWhole();
  });

  expect(faults).toEqual([]);
});
