import { expect, type Page } from '@playwright/test';
import { announcementsOf, recordAnnouncements } from '../a11y/announcements.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents, type WireEvent } from '../tools/page-server.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

const server = pageServer(test);
const pieces = ['The harbour opens at eight. ', 'Bring **your papers**. ', 'See you there!'];
const turn = plainTurn(pieces);
const framing = framings['real SSE'];

/** Answers every run with these events, slowly enough to render each one separately. */
function answerWith(events: readonly WireEvent[], pause = 400): void {
  server.answer = async ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith('/runs/stream')) return false;
    await sendEvents(response, framing, events, pause);
    return true;
  };
}

async function open(page: Page, attributes = ''): Promise<ChatPage> {
  server.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><button>Host</button>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t" ${attributes}></script></body></html>`,
  });
  await recordAnnouncements(page);
  await page.goto(`${server.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  return chat;
}

const modes = {
  answer: ['Working on it…', 'Assistant said: The harbour opens at eight. Bring your papers. See you there!'],
  sentence: [
    'Working on it…',
    'Assistant said: The harbour opens at eight.',
    'Bring your papers.',
    'See you there!',
    'Answer complete.',
  ],
  quiet: ['Assistant is answering.', 'Answer complete.'],
};

isolatedTest('Stop is announced once and the partial answer is not read out', async ({ page }) => {
  let answer = (_events: readonly WireEvent[]): void => undefined;
  server.answer = ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith('/runs/stream')) return false;
    response.writeHead(200, { 'content-type': framing.type });
    answer = (events) => void response.write(events.map(framing.write).join(''));
    answer(turn.slice(0, 1));
    return true; // and never ends
  };
  // the page's time stands: what the service says of the Stop is there before the words are due, however long it takes
  await page.clock.install({ time: 0 });
  const chat = await open(page);
  await page.clock.pauseAt(60_000);
  const after = async <Value>(look: () => Promise<Value>): Promise<Value> => {
    await page.clock.runFor(300);
    return look();
  };
  await chat.say('When?');
  await expect.poll(() => after(() => announcementsOf(page))).toEqual(['Working on it…']);
  answer(turn.slice(1, 4));
  await expect.poll(() => after(() => chat.lastAnswer())).toContain('papers');
  await chat.button.click();
  const unconfirmed = (): Promise<boolean | undefined> =>
    chat.evaluate((host) => host.conversation?.runs.at(-1)?.stopUnconfirmed);
  await expect.poll(unconfirmed).toBe(true);
  const words = ['Working on it…', 'Stopped here. The assistant may still finish on its side.'];
  await expect.poll(() => after(() => announcementsOf(page))).toEqual(words);
  await page.clock.runFor(2_000);
  expect(await announcementsOf(page)).toEqual(words);
});

test('a conversation that could not be loaded is announced once, and again after Retry', async ({ page }) => {
  let attempts = 0;
  let mayAnswer = Promise.resolve();
  server.answer = async ({ url }, response) => {
    if (!url?.endsWith('/messages')) return false;
    attempts += 1;
    await mayAnswer;
    response.writeHead(500).end();
    return true;
  };
  const chat = await open(page, 'data-thread-id="5d1f3c1e-0000-4000-8000-0000000000a1"');
  const words = 'Your conversation could not be loaded. We keep trying.';
  await expect.poll(() => announcementsOf(page)).toEqual([words]);
  const before = attempts;
  await expect.poll(() => attempts, { timeout: 20_000 }).toBeGreaterThan(before);
  expect(await announcementsOf(page)).toEqual([words]);
  let answer = (): void => undefined;
  mayAnswer = new Promise((resolve) => (answer = resolve));
  await chat.element.getByRole('button', { name: 'Retry' }).click();
  await expect(chat.element.getByText('Loading your conversation…')).toBeAttached();
  answer();
  await expect
    .poll(async () => (await announcementsOf(page)).filter((text) => text === words))
    .toHaveLength(2);
});

test('the visitor’s announcement setting survives a reload and overrides the page’s', async ({ page }) => {
  answerWith(turn);
  const chat = await open(page, 'data-announce="quiet"');
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('?');
  const choice = chat.element.getByRole('radio', { name: 'Sentence by sentence' });
  await expect(chat.element.getByRole('radio', { name: 'Only start and end' })).toBeChecked();
  await choice.check();
  await page.keyboard.press('Escape');
  await page.reload();
  await chat.open();
  await chat.say('When?');
  await expect.poll(() => announcementsOf(page), { timeout: 15_000 }).toEqual(modes.sentence);
});
