import { expect, type Page } from '@playwright/test';
import { heard, listen } from '../a11y/spoken.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, PageServer, plainTurn, sendEvents, type WireEvent } from '../tools/page-server.ts';
import { formItem, itemTurn } from '../tools/rich-answer.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

let server: PageServer;
const pieces = ['The harbour opens at eight. ', 'Bring **your papers**. ', 'See you there!'];
const turn = plainTurn(pieces);
const framing = framings['real SSE'];

test.beforeAll(async () => {
  server = await PageServer.start();
});
test.afterAll(() => server.close());

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
  await listen(page);
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

for (const [mode, words] of Object.entries(modes)) {
  test(`announce="${mode}" announces a streamed answer in this order: ${words.join(' | ')}`, async ({
    page,
  }) => {
    answerWith(turn);
    const chat = await open(page, `data-announce="${mode}"`);
    await chat.say('When?');
    await expect.poll(() => heard(page), { timeout: 15_000 }).toEqual(words);
    await chat.element.locator('agent-chat-turn-actions').waitFor();
    expect(await heard(page)).toEqual(words);
  });
}

test('code and tables are announced as such, lists and links as their text', async ({ page }) => {
  const text =
    '# Prices\n\n- one [berth](https://example.com)\n- two berths\n\n```js\na();\nb();\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.';
  for (const mode of ['answer', 'sentence']) {
    answerWith(plainTurn(text.split(/(?<=\n)/)), 5);
    const chat = await open(page, `data-announce="${mode}"`);
    await chat.say('Prices?');
    // where a stop is heard depends on the piece in which a line came; the words and their order do not
    const all = async (): Promise<string> =>
      (await heard(page))
        .filter((entry) => !/^(Working|Answer complete)/.test(entry))
        .join(' ')
        .replaceAll('.', '');
    await expect
      .poll(all)
      .toBe('Assistant said: Prices one berth two berths Code, 2 lines Table, 1 row Done');
    await page.evaluate(() => sessionStorage.clear());
  }
});

test('an error is announced once, with its visible text', async ({ page }) => {
  server.answer = ({ method }, response) => {
    if (method !== 'POST') return false;
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"detail":"boom"}');
    return true;
  };
  const chat = await open(page);
  await chat.say('When?');
  await expect(chat.notice).toContainText('The service has a problem. Please try again.');
  await expect.poll(() => heard(page)).toContain('The service has a problem. Please try again.');
  // a failure that takes longer than the announcer's delay follows the announcement of the start
  const afterStart = (await heard(page)).filter((text) => text !== 'Working on it…');
  expect(afterStart).toEqual(['The service has a problem. Please try again.']);
});

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
  await expect.poll(() => after(() => heard(page))).toEqual(['Working on it…']);
  answer(turn.slice(1, 4));
  await expect.poll(() => after(() => chat.lastAnswer())).toContain('papers');
  await chat.button.click();
  const unconfirmed = (): Promise<boolean | undefined> =>
    chat.evaluate((host) => host.conversation?.runs.at(-1)?.stopUnconfirmed);
  await expect.poll(unconfirmed).toBe(true);
  const words = ['Working on it…', 'Stopped here. The assistant may still finish on its side.'];
  await expect.poll(() => after(() => heard(page))).toEqual(words);
  await page.clock.runFor(2_000);
  expect(await heard(page)).toEqual(words);
});

test('a message queued behind the first answer is announced as waiting', async ({ page }) => {
  answerWith(turn, 700);
  const chat = await open(page);
  await chat.say('When?');
  await expect.poll(() => chat.lastAnswer()).toContain('harbour');
  await chat.say('And where?');
  await expect(chat.element.getByText('Waiting to be sent')).toBeVisible();
  await expect.poll(() => heard(page)).toContain('Waiting to be sent');
});

test('a message sent offline is announced as waiting', async ({ page, context }) => {
  answerWith(turn, 5);
  const chat = await open(page);
  await chat.say('When?');
  await expect.poll(() => heard(page)).toContain(modes.answer[1]);
  const before = (await heard(page)).length;
  await context.setOffline(true);
  await chat.say('And where?');
  const offline = 'You are offline. Messages are sent once you are back';
  await expect.poll(async () => (await heard(page)).slice(before)).toContain(offline);
  await context.setOffline(false);
  await expect.poll(async () => (await heard(page)).slice(before)).toContain('Connected again.');
  const said = (await heard(page)).slice(before);
  expect(said.slice(0, said.indexOf('Connected again.'))).toEqual([offline]);
});

test('a first message sent offline is announced as waiting, and the return of the connection before the answer', async ({
  page,
  context,
}) => {
  answerWith(turn, 700);
  const chat = await open(page);
  await context.setOffline(true);
  await chat.say('When?');
  const offline = 'You are offline. Messages are sent once you are back';
  await expect.poll(() => heard(page)).toEqual([offline]);
  await context.setOffline(false);
  const all = [offline, 'Connected again.', 'Working on it…', modes.answer[1]];
  await expect.poll(() => heard(page), { timeout: 15_000 }).toEqual(all);
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
  await expect.poll(() => heard(page)).toEqual([words]);
  const before = attempts;
  await expect.poll(() => attempts, { timeout: 20_000 }).toBeGreaterThan(before);
  expect(await heard(page)).toEqual([words]);
  let answer = (): void => undefined;
  mayAnswer = new Promise((resolve) => (answer = resolve));
  await chat.element.getByRole('button', { name: 'Retry' }).click();
  await expect(chat.element.getByText('Loading your conversation…')).toBeAttached();
  answer();
  await expect.poll(async () => (await heard(page)).filter((text) => text === words)).toHaveLength(2);
});

test('an answer that arrives while the panel is closed is announced as unread, named on the launcher, and read on opening', async ({
  page,
}) => {
  answerWith(turn);
  const chat = await open(page);
  await chat.say('When?');
  await expect.poll(() => heard(page)).toEqual(['Working on it…']);
  await page.keyboard.press('Escape');
  await expect(chat.launcher).toBeFocused();
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 new message');
  await expect.poll(() => heard(page)).toEqual(['Working on it…', '1 new message']);
  await page.keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();
  await expect.poll(() => heard(page)).toEqual(['Working on it…', '1 new message', modes.answer[1]]);
});

test('a lost connection and its return are announced, then the answer, once', async ({ page }) => {
  const half = turn.slice(0, 4);
  server.answer = async ({ method, url }, response) => {
    if (method === 'POST' && url?.endsWith('/runs/stream')) {
      response.writeHead(200, { 'content-type': framing.type });
      for (const event of half) response.write(framing.write(event));
      await new Promise((resolve) => setTimeout(resolve, 500));
      response.destroy();
      return true;
    }
    if (method === 'GET' && /\/runs\/[^/]+\/events/.test(url ?? '')) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await sendEvents(response, framing, turn.slice(4), 400);
      return true;
    }
    return false;
  };
  const chat = await open(page);
  await chat.say('When?');
  await expect.poll(() => heard(page), { timeout: 15_000 }).toContain(modes.answer[1]);
  expect(await heard(page)).toEqual(['Working on it…', 'Reconnecting…', 'Connected again.', modes.answer[1]]);
});

test('form errors, handovers and uploads are announced once, in the same live region', async ({ page }) => {
  const content = [
    {
      response_type: 'form',
      id: 'form',
      json_schema: {
        type: 'object',
        title: 'Boat',
        required: ['name'],
        properties: { name: { type: 'string' } },
      },
    },
    { response_type: 'connect_to_agent', id: 'person' },
    { response_type: 'file_upload', id: 'files', title: 'Papers' },
  ];
  answerWith(
    plainTurn(['']).map((event) =>
      event.event === 'message.created'
        ? { ...event, data: { ...event.data, message: { role: 'assistant', content } } }
        : event,
    ),
    5,
  );
  const chat = await open(page);
  await chat.evaluate((host) => {
    host.uploadDocument = (file) =>
      file.name === 'plan.pdf' ? Promise.resolve('1') : Promise.reject(new Error('no'));
  });
  await chat.say('Papers?');
  await chat.element.getByRole('button', { name: 'Submit' }).click();
  const expected = ['Assistant said: Form to fill in: Boat. Papers', 'Please correct 1 answer.'];
  await expect.poll(() => heard(page)).toEqual(expect.arrayContaining(expected));
  await chat.element.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => heard(page)).toContain('Nobody is available right now.');
  const picker = chat.element.locator('agent-chat-file-upload input[type=file]');
  for (const name of ['plan.pdf', 'tides.pdf'])
    await picker.setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from('x') });
  await expect.poll(() => heard(page)).toContain('tides.pdf could not be uploaded.');
  expect((await heard(page)).filter((text) => !text.startsWith('Working'))).toEqual([
    ...expected,
    'Nobody is available right now.',
    'plan.pdf, uploaded',
    'tides.pdf could not be uploaded.',
  ]);
  expect(await chat.element.locator('[role=alert], [role=status], output').count()).toBe(0);
});

test('a form is announced by its title, and a carousel announces its position and respects reduced motion', async ({
  page,
}) => {
  const card = (name: string) => ({ response_type: 'card', body: [{ response_type: 'text', text: name }] });
  answerWith(
    itemTurn([
      {
        ...formItem({ title: 'Announce an arrival', properties: { boat: { type: 'string' } } }),
        name: 'arr_v2',
      },
      { response_type: 'carousel', id: 'c', title: 'Berths', items: ['C 14', 'C 22', 'D 03'].map(card) },
    ]),
    5,
  );
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const chat = await open(page);
  await chat.say('Where?');
  const carousel = chat.element.locator('agent-chat-carousel');
  await carousel.getByRole('button', { name: 'Next' }).focus();
  await expect
    .poll(() => heard(page))
    .toContainEqual(expect.stringContaining('Form to fill in: Announce an arrival.'));
  const moved = await carousel.evaluate((element) => {
    const root = element.shadowRoot;
    root?.querySelector<HTMLElement>('.steps button:last-child')?.click();
    return root?.querySelector('.slides')?.scrollLeft;
  });
  expect(moved).toBeGreaterThan(100);
  await expect.poll(() => heard(page)).toContain('2 of 3');
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
  await expect.poll(() => heard(page), { timeout: 15_000 }).toEqual(modes.sentence);
});

test('the transcript is never announced by itself: it is a log with aria-live off', async ({ page }) => {
  answerWith(turn, 5);
  const chat = await open(page);
  await chat.say('When?');
  await chat.element.locator('agent-chat-turn-actions').waitFor();
  const log = chat.element.getByRole('log', { name: 'Conversation' });
  await expect(log).toHaveAttribute('aria-live', 'off');
  expect(await chat.element.locator('[aria-live=polite], [aria-live=assertive]').count()).toBe(1);
});
