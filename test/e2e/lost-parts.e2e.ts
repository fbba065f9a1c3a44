import { expect, type Page } from '@playwright/test';
import { announcementsOf, recordAnnouncements } from '../a11y/announcements.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { withIds } from '../tools/rich-answer.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

// A part of the script that is fetched with its first use may be lost on the way: nothing breaks, a developer is told,
// and it is there once the network is.

test.describe.configure({ mode: 'parallel' });
let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  host.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="demo" token="${await service.token()}"></agent-chat>
      <script>
        told = [];
        document.addEventListener('agent-chat-diagnostic', (event) => told.push(event.code + ': ' + event.message));
        document.querySelector('agent-chat').uploadDocument = async () => crypto.randomUUID();
      </script>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  host.pages.set('/own.html', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat agent-id="a" token="t" storage="none"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
});

interface Loss {
  /** What the visitor misses. */
  readonly what: string;
  /** Name of the part's file. */
  readonly part: string;
  /** What the diagnostic says that the module is for: other modules of the part may be lost at the same time. */
  readonly purpose: string;
  /** What a visitor does for which it is needed. */
  readonly use: (chat: ChatPage) => Promise<void>;
  /** What is there when the part is. */
  readonly there: (chat: ChatPage) => Promise<void>;
  /** Done once more when the network is back; without: it comes by itself. */
  readonly again?: (chat: ChatPage) => Promise<void>;
}

const ask = (text: string) => async (chat: ChatPage) => {
  await chat.say(text);
};
const attach = async (chat: ChatPage): Promise<void> => {
  await chat.element
    .locator('agent-chat-composer input[type=file]')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') });
};
const edit = (chat: ChatPage): Promise<void> => chat.element.getByRole('button', { name: 'Edit' }).click();
// it is not seen until it has the focus
const help = (chat: ChatPage): Promise<void> => chat.element.locator('button.help').dispatchEvent('click');

const askAgain = (chat: ChatPage): Promise<void> =>
  chat.element.locator('[part=item-notice]').getByRole('button').click();

/** By page: a part is lost only where nothing has loaded it before. */
const losses: readonly (readonly Loss[])[] = [
  [
    {
      what: 'help',
      part: 'tools',
      purpose: 'dialogs',
      use: help,
      again: help,
      there: async (chat) => {
        await expect(chat.element.locator('agent-chat-help kbd').first()).toBeVisible();
        await chat.page.keyboard.press('Escape');
      },
    },
  ],
  [
    {
      what: 'attachments',
      part: 'files',
      purpose: 'attachments and mentions',
      use: attach,
      again: attach,
      there: (chat) => expect(chat.element.locator('agent-chat-composer')).toContainText('plan.txt'),
    },
  ],
  [
    {
      what: 'options',
      part: 'items',
      purpose: '<agent-chat-item>',
      use: ask('/item option'),
      there: (chat) =>
        expect(chat.element.locator('agent-chat-option').getByRole('button').first()).toBeVisible(),
    },
    {
      what: 'steps',
      part: 'steps',
      purpose: '<agent-chat-steps>',
      use: ask('/tools'),
      there: (chat) => expect(chat.element.locator('agent-chat-steps')).toContainText(/step/i),
    },
    {
      what: 'code',
      part: 'code',
      purpose: 'code blocks',
      use: ask('/code'),
      there: (chat) => expect(chat.answers.getByRole('button', { name: 'Copy' }).first()).toBeVisible(),
    },
    {
      what: 'forms',
      part: 'forms',
      purpose: '<agent-chat-form>',
      use: ask('/form'),
      again: askAgain,
      there: (chat) =>
        expect(chat.element.locator('agent-chat-form').getByRole('textbox').first()).toBeVisible(),
    },
  ],
  [
    {
      what: 'options as they are announced',
      part: 'helpers',
      purpose: 'announcements',
      use: ask('/item option'),
      again: ask('/item option'),
      there: (chat) =>
        expect.poll(() => announcementsOf(chat.page)).toContainEqual(expect.stringContaining('Choices: ')),
    },
  ],
  [
    {
      what: 'editing a message',
      part: 'tools',
      purpose: 'edited messages',
      use: async (chat) => {
        await chat.say('Hello');
        await edit(chat);
      },
      again: edit,
      there: (chat) => expect(chat.element.locator('agent-chat-visitor-message textarea')).toBeFocused(),
    },
  ],
];

async function visit(page: Page): Promise<ChatPage> {
  await recordAnnouncements(page);
  await page.goto(host.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.answerAtOnce();
  return chat;
}

for (const ofPage of losses) {
  const whats = ofPage.map(({ what }) => what).join(', ');
  test(`${whats}: a module that fails to load is reported, and loads once the network is back`, async ({
    page,
  }) => {
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    let lost = ofPage[0]?.part ?? '';
    let asked = 0;
    await page.route(/chunks\/[\w-]+-[\w-]{8}\.js/, (route) => {
      if (!lost || !new RegExp(`chunks/${lost}-[\\w-]{8}\\.js`).test(route.request().url()))
        return route.continue();
      asked += 1;
      return route.abort();
    });
    const chat = await visit(page);
    for (const { what, part, purpose, use, there, again } of ofPage)
      await test.step(what, async () => {
        lost = part;
        await use(chat);
        await expect.poll(() => asked).toBeGreaterThan(0);
        const told = (): Promise<string[]> =>
          page.evaluate(() => Reflect.get(globalThis, 'told') as string[]); // set by the page
        await expect
          .poll(told)
          .toContainEqual(expect.stringMatching(`^load-failed: .*${purpose} could not be loaded`));
        lost = '';
        asked = 0;
        await again?.(chat);
        await there(chat);
        // the chat goes on
        await chat.composer.fill('Still here');
        await expect(chat.composer).toHaveValue('Still here');
        expect(faults).toEqual([]);
      });
  });
}

test('`@` typed before the mentions module has loaded opens the list once it has', async ({ page }) => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/composer-extras/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${host.origin}/`);
  const chat = new ChatPage(page);
  await chat.evaluate((element) => {
    element.mentionables = [
      { id: '123e4567-e89b-12d3-a456-426614174001', name: 'Ada', description: 'Harbour master' },
    ];
  });
  await chat.open();
  await chat.composer.pressSequentially('@a');
  letGo();
  await expect(chat.element.getByRole('option', { name: 'Ada' })).toBeVisible();
});

test('what the end of a text needs and cannot be loaded is not asked for without end', async ({ page }) => {
  let ending = '';
  const asked = { formulas: 0, items: 0 };
  for (const part of ['formulas', 'items'] as const)
    await page.route(new RegExp(`chunks/${part}-[\\w-]{8}\\.js`), (route) => {
      asked[part] += 1;
      return route.abort();
    });
  host.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = withIds(plainTurn(['The last words are ', ending]));
    await sendEvents(response, framings['real SSE'], events);
    return true;
  };
  await page.goto(`${host.origin}/own.html`);
  const chat = new ChatPage(page);
  await chat.open();
  for (const [part, words] of [
    ['formulas', '\\(h = 3\\)'],
    ['items', '![Quay](https://a.example/q.png)'],
  ] as const)
    await test.step(part, async () => {
      ending = words;
      await chat.evaluate((element) => element.newThread());
      await chat.say('What are the last words?');
      await expect.poll(() => asked[part]).toBeGreaterThan(0);
      await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
      await page.evaluate(async () => {
        for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
      });
      expect(asked[part]).toBeLessThan(8);
    });
});

test('a chat that cannot be loaded is tried again while it is on the page, and no longer', async ({
  page,
}) => {
  await page.clock.install();
  let tries = 0;
  let isLost = true;
  await page.route(/chunks\/runtime-/, (route) => {
    tries += 1;
    return isLost ? route.abort() : route.continue();
  });
  await page.goto(`${host.origin}/own.html`);
  const chat = new ChatPage(page);
  await chat.evaluate((element) => void element.show().catch(() => undefined));
  const triesAfter = async (before: number): Promise<void> => {
    await page.clock.runFor(3_500);
    await expect.poll(() => tries).toBeGreaterThan(before);
  };
  await expect.poll(() => tries).toBeGreaterThan(0);
  await triesAfter(tries);
  const element = await chat.element.elementHandle();
  await element?.evaluate((one) => one.remove());
  await page.clock.runFor(3_500);
  const before = tries;
  for (let at = 0; at < 4; at += 1) await page.clock.runFor(3_500);
  expect(tries).toBe(before);
  isLost = false;
  await element?.evaluate((one) => document.body.append(one));
  await page.clock.runFor(3_500);
  await expect(chat.composer).toBeVisible();
});

test('a stream that needs a part which cannot be loaded ends with Retry, and Retry reads it', async ({
  page,
}) => {
  let isLost = true;
  await page.route(/chunks\/stream-decoder-/, (route) => (isLost ? route.abort() : route.continue()));
  host.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    await sendEvents(
      response,
      framings['NDJSON labelled text/event-stream'],
      plainTurn(['The tide turns ', 'at six.']),
    );
    return true;
  };
  await page.goto(`${host.origin}/own.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('When does the tide turn?');
  await expect(chat.notice).toBeVisible();
  isLost = false;
  await chat.notice.getByRole('button', { name: /Retry|Try again/ }).click();
  await expect.poll(() => chat.lastAnswer()).toBe('The tide turns at six.');
  await expect(chat.notice).toHaveCount(0);
});

test('a thread whose stream ends without an event loads nothing to read it', async ({ page }) => {
  let asked = 0;
  let follows = 0;
  await page.route(/chunks\/stream-decoder-/, (route) => {
    asked += 1;
    return route.continue();
  });
  host.answer = async (request, response) => {
    if (request.url?.endsWith('/runs/stream')) {
      await sendEvents(response, framings['real SSE'], plainTurn(['The tide turns ', 'at six.']));
      return true;
    }
    if (!/threads\/[^/]+\/events/.test(request.url ?? '')) return false;
    follows += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(':\n\n');
    return true;
  };
  await page.goto(`${host.origin}/own.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('When does the tide turn?');
  await expect.poll(() => chat.lastAnswer()).toBe('The tide turns at six.');
  await expect.poll(() => follows).toBeGreaterThan(1);
  expect(asked).toBe(0);
});
