import { expect, type BrowserContext, type Page } from '@playwright/test';
import type { AgentChat } from '../../src/widget/index.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { readTurn, watchedChat } from '../tools/faulty-chat.ts';
import { test } from '../tools/worker-context.ts';

test.describe.configure({ mode: 'parallel' });

const chat = watchedChat(test);

interface Tab {
  readonly page: Page;
  readonly widget: ChatPage;
}

/** A tab with the widget, its composer there. */
async function tab(context: BrowserContext, url: string): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(url);
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  return { page, widget };
}

/** Whether a request takes up a run that is on. */
const isResumption = (request: string): boolean => /^GET .*\/runs\/.*\/events$/.test(request);

function posts(): number {
  return chat.proxy.requests.filter((request) => /^POST .*\/runs\/stream$/.test(request)).length;
}

test('two tabs show one conversation and read one stream; what one does with it, the other shares; one that is closed leaves its run to the other', async ({
  context,
}) => {
  const url = await chat.pageUrl('storage="local"', { path: '/two.html' });
  const one = await tab(context, url);
  const other = await tab(context, url);

  await test.step('they read one stream, and keep their own drafts', async () => {
    const words = 'One stream for the two of us, thank you very much indeed';
    const letGo = chat.hold(words);
    await other.widget.composer.fill('typed over there');
    await one.widget.say(words);
    await expect.poll(() => other.widget.lastAnswer()).toContain('One stream');
    await expect.poll(() => readTurn(other.page)).toMatchObject({ connection: 'streaming' });
    letGo();
    await expect.poll(() => other.widget.lastAnswer()).toBe(words);
    await expect.poll(() => readTurn(other.page)).toMatchObject({ status: 'completed', connection: 'idle' });
    await expect(one.widget.composer).toHaveValue('');
    await expect(other.widget.composer).toHaveValue('typed over there');
    expect(posts()).toBe(1);
    expect(chat.proxy.requests.filter(isResumption)).toEqual([]);
  });

  await test.step('feedback given in one tab is sent with the next message of the other', async () => {
    const story = 'Meanwhile the other tab tells a story of some length, to be read there to its end';
    const letGo = chat.hold(story);
    await one.widget.say(story);
    await expect.poll(() => other.widget.lastAnswer()).toContain('Meanwhile');
    await one.widget.say('What goes out next');
    await other.widget.element.getByRole('button', { name: 'Good answer' }).first().click();
    letGo();
    await expect.poll(() => one.widget.lastAnswer()).toBe('What goes out next');
    const good = { content: { '1': { feedback: { is_positive: true } } } };
    const last = (host: AgentChat): unknown =>
      host.conversation?.messages.findLast(({ role }) => role === 'user')?.messageState;
    expect(await one.widget.evaluate(last)).toMatchObject(good);
    await expect.poll(() => other.widget.evaluate(last)).toMatchObject(good);
  });

  await test.step('a message or a stop in one tab is performed by the tab that reads the run', async () => {
    await one.widget.evaluate((host) => host.newThread());
    await expect.poll(() => readTurn(other.page)).toMatchObject({ length: 0 });
    const before = posts();
    const story = 'A long story that one tab tells and the other tab cuts short';
    chat.hold(story);
    await one.widget.say(story);
    await expect.poll(() => other.widget.lastAnswer()).toContain('A long');
    await other.widget.say('Said in the other tab');
    await expect.poll(() => readTurn(one.page).then(({ length }) => length)).toBe(3);
    expect(posts()).toBe(before + 1);
    await other.widget.button.click();
    await expect.poll(() => one.widget.lastAnswer()).toBe('Said in the other tab');
    await expect.poll(() => other.widget.lastAnswer()).toBe('Said in the other tab');
    const statuses = await other.page.evaluate(() =>
      document.querySelector('agent-chat')?.conversation?.runs.map(({ status }) => status),
    );
    expect(statuses).toEqual(['cancelled', 'completed']);
    expect(chat.asked('Said in the other tab')).toBe(1);
  });

  await test.step('a new chat requested in the tab that does not read the run stops it and starts in both', async () => {
    const story = 'A dull story that is of no interest any more as soon as there is a new chat';
    chat.hold(story);
    await one.widget.say(story);
    await expect.poll(() => other.widget.lastAnswer()).toContain('A dull');
    await other.page.evaluate(() => {
      const chatHere = document.querySelector('agent-chat');
      void chatHere?.newThread();
      void chatHere?.send('Said in the new chat');
    });
    for (const { page, widget } of [one, other]) {
      await expect.poll(() => widget.lastAnswer()).toBe('Said in the new chat');
      await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'idle', length: 2 });
    }
    expect(chat.asked('Said in the new chat')).toBe(1);
  });

  for (const waitsIn of ['the tab that reads the run', 'another tab'] as const)
    await test.step(`a message that waits for its upload in ${waitsIn} is not sent into a new chat`, async () => {
      const [writer, starter] = waitsIn === 'another tab' ? [one, other] : [other, one];
      const story = `A story that goes on while a document uploads in ${waitsIn}`;
      const letGo = chat.hold(story);
      await other.widget.say(story);
      await expect.poll(() => one.widget.lastAnswer()).toContain('A story');
      await writer.page.evaluate(() => {
        const chatHere = document.querySelector('agent-chat')!;
        chatHere.uploadDocument = () =>
          new Promise((resolve) => Object.assign(window, { finish: () => resolve(crypto.randomUUID()) }));
      });
      const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') };
      await writer.widget.element.locator('agent-chat-composer input[type=file]').setInputFiles(file);
      const words = `Said of the document in ${waitsIn}`;
      await writer.widget.say(words);
      await expect(writer.widget.element.locator('.waiting')).toHaveText(
        'Waiting for the documents to upload',
      );
      await expect.poll(() => writer.page.evaluate('typeof finish')).toBe('function');
      await starter.widget.evaluate((host) => host.newThread());
      for (const { page } of [one, other])
        await expect.poll(() => readTurn(page)).toMatchObject({ length: 0 });
      await expect(writer.widget.element.locator('.waiting')).toHaveCount(0);
      await writer.page.evaluate('finish()');
      await expect(writer.widget.element.locator('agent-chat-attachments .done')).toHaveCount(1);
      await expect(writer.widget.composer).toHaveValue(words);
      expect(chat.asked(words)).toBe(0);
      letGo();
      await writer.widget.element.getByRole('button', { name: 'Remove plan.txt' }).click();
      await writer.widget.composer.fill('');
    });

  await test.step('the other tab takes over when the one that reads the run is closed', () =>
    takesOver(one, other, 'closed'));
});

/** @param end what becomes of the tab that reads the run */
async function takesOver(one: Tab, other: Tab, end: 'closed' | 'crashed'): Promise<void> {
  const words = `Half of this is told by a tab that is ${end}, the other half by the one that stays`;
  const letGo = chat.hold(words);
  await one.widget.say(words);
  await expect.poll(() => other.widget.lastAnswer()).toContain('Half of');
  expect(chat.proxy.requests.filter(isResumption)).toEqual([]);
  if (end === 'closed') await one.page.close();
  else {
    const session = await one.page.context().newCDPSession(one.page);
    void session.send('Page.crash').catch(() => undefined);
  }
  await expect.poll(() => chat.proxy.requests.filter(isResumption), { timeout: 15_000 }).toHaveLength(1);
  letGo();
  await expect.poll(() => other.widget.lastAnswer()).toBe(words);
  await expect.poll(() => readTurn(other.page)).toMatchObject({ status: 'completed', text: words });
  expect(chat.asked(words)).toBe(1);
}

/** What a tab shows, and of which thread. */
function shown(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const { threadId, messages = [] } = document.querySelector('agent-chat')?.conversation ?? {};
    const texts = messages.map(({ role, items }) => `${role}: ${items.map(({ text }) => text).join('')}`);
    return { threadId, texts };
  });
}

test('a message in one tab and a new chat in another at the same moment give one conversation; a tab that crashed leaves its run to the other', async ({
  context,
}) => {
  const script =
    "document.querySelector('agent-chat').additionalParameters = { delay_ms: 2, chunk_length: 2 };";
  const url = await chat.pageUrl('storage="local"', { path: '/race.html', script });
  const one = await tab(context, url);
  await one.widget.say('Old words');
  await expect.poll(() => readTurn(one.page)).toMatchObject({ status: 'completed', connection: 'idle' });
  const other = await tab(context, url);
  await expect.poll(() => other.widget.lastAnswer()).toBe('Old words');
  const act = (page: Page, what: string, words: string): Promise<void> =>
    page.evaluate(
      async ([doing, text]) => {
        const chatHere = document.querySelector('agent-chat');
        await (doing === 'message' ? chatHere?.send(text) : chatHere?.newThread());
      },
      [what, words] as const,
    );
  for (const [first, second] of [
    ['new chat', 'message'],
    ['message', 'new chat'],
  ] as const)
    for (let round = 0; round < 3; round += 1)
      await test.step(`${first} first, round ${round}`, async () => {
        const words = `Said at the same moment, ${first} first, round ${round}`;
        await Promise.all([act(one.page, first, words), act(other.page, second, words)]);
        await expect
          .poll(async () => {
            const views = await Promise.all([shown(one.page), shown(other.page)]);
            const turns = await Promise.all([readTurn(one.page), readTurn(other.page)]);
            const isOver = turns.every(({ connection }) => connection === 'idle');
            return isOver && JSON.stringify(views[0]) === JSON.stringify(views[1]) ? 'the same' : views;
          })
          .toBe('the same');
        expect(chat.asked(words)).toBeLessThanOrEqual(1);
        const after = `After it, ${first} first, round ${round}`;
        await one.widget.say(after);
        await expect.poll(() => one.widget.lastAnswer()).toBe(after);
        await expect.poll(() => other.widget.lastAnswer()).toBe(after);
        await expect.poll(() => readTurn(other.page)).toMatchObject({ connection: 'idle' });
      });
  await test.step('the other tab takes over when the one that reads the run crashed', () =>
    takesOver(one, other, 'crashed'));
});

test('six tabs of one thread over HTTP/1.1 leave connections for the page and its next message', async ({
  context,
}) => {
  const url = await chat.pageUrl('storage="local"', { path: '/six.html' });
  const first = await tab(context, url);
  await first.widget.say('Begin');
  await expect.poll(() => first.widget.lastAnswer()).toBe('Begin');
  const tabs = [first];
  while (tabs.length < 6) tabs.push(await tab(context, url));
  const last = tabs.at(-1) ?? first;
  await expect.poll(() => last.widget.lastAnswer()).toBe('Begin');
  await last.widget.say('Said in the sixth');
  for (const { widget } of tabs) await expect.poll(() => widget.lastAnswer()).toBe('Said in the sixth');
  await expect.poll(() => chat.proxy.open).toBeLessThanOrEqual(2);
});

/** Says something from outside, in the thread that the chat shows. */
async function callBack(threadId: string, text: string): Promise<void> {
  const body = { role: 'assistant', content: [{ response_type: 'text', text }] };
  const token = chat.service.serverKey;
  const posted = await chat.service.request('POST', `/api/v1/callback/${threadId}`, { body, token });
  expect(posted.status).toBe(201);
}

test('a callback message is unread in all tabs, plays one sound, and is read in all when one shows it, even if the tab that posted its notification is closed', async ({
  context,
}) => {
  const path = '/unread.html';
  const script = `window.tones = 0; window.AudioContext = class { constructor() { window.tones += 1; throw new Error('mute'); } };`;
  const url = await chat.pageUrl('storage="local" sound="on"', { path, script });
  const one = await tab(context, url);
  await one.widget.say('Wait for a message');
  await expect.poll(() => readTurn(one.page)).toMatchObject({ status: 'completed', connection: 'idle' });
  const followed = context.waitForEvent('response', (response) => response.url().endsWith('/events'));
  const other = await tab(context, url);
  await expect.poll(() => other.widget.lastAnswer()).toBe('Wait for a message');
  await followed;
  for (const { page } of [one, other])
    await page.evaluate(() => document.querySelector('agent-chat')?.hide());
  const threadId = (await one.widget.evaluate((host) => host.conversation?.threadId)) ?? '';
  await callBack(threadId, 'Your boat is here');
  const unread = (page: Page): Promise<number | undefined> =>
    page.evaluate(() => document.querySelector('agent-chat')?.unread);
  await expect.poll(() => unread(one.page)).toBe(1);
  await expect.poll(() => unread(other.page)).toBe(1);
  const notifications = async (token = chat.service.serverKey): Promise<number> => {
    const answer = await chat.service.request('GET', `/api/v1/notifications/?thread_id=${threadId}`, {
      token,
    });
    return ((await answer.json()) as { notifications: unknown[] }).notifications.length;
  };
  await expect.poll(() => notifications()).toBe(1);
  const tones = async (): Promise<number> => {
    const played = [one, other].map(({ page }) => page.evaluate(() => Number(Reflect.get(window, 'tones'))));
    return (await Promise.all(played)).reduce((sum, count) => sum + count);
  };
  await expect.poll(tones).toBe(1);
  await other.page.evaluate(() => document.querySelector('agent-chat')?.show());
  await expect.poll(() => unread(one.page)).toBe(0);
  await expect.poll(() => unread(other.page)).toBe(0);
  await expect.poll(() => other.widget.lastAnswer()).toBe('Your boat is here');
  await expect.poll(() => notifications()).toBe(0);

  await test.step('the tab that posted it is closed', async () => {
    for (const { widget } of [one, other]) await widget.evaluate((host) => host.hide());
    await callBack(threadId, 'Your boat has left');
    await expect.poll(() => unread(one.page)).toBe(1);
    await expect.poll(() => unread(other.page)).toBe(1);
    const visitor = await chat.service.token('visitor');
    await expect.poll(() => notifications(visitor)).toBe(1);
    await other.page.close(); // it was looked at last, and follows the thread
    await one.widget.evaluate((host) => host.show());
    await expect.poll(() => notifications(visitor)).toBe(0);
  });
});

test('a callback message that comes between two pages is unread on the next', async ({ page }) => {
  const script = "document.querySelector('agent-chat').removeAttribute('open');";
  const url = await chat.pageUrl('', { path: '/between.html', script });
  const widget = new ChatPage(page);
  await page.goto(url);
  await widget.launcher.waitFor();
  await widget.evaluate((host) => host.show());
  await widget.say('Wait for somebody');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  await widget.evaluate((host) => host.hide());
  const threadId = (await widget.evaluate((host) => host.conversation?.threadId)) ?? '';
  await page.goto('about:blank');
  await callBack(threadId, 'Somebody is here');
  await page.goto(url);
  await expect.poll(() => widget.evaluate((host) => host.unread)).toBe(1);
  await page.reload();
  await expect.poll(() => widget.evaluate((host) => host.conversation?.messages.length ?? 0)).toBe(3);
  expect(await widget.evaluate((host) => host.unread)).toBe(1);
  await widget.evaluate((host) => host.show());
  await expect.poll(() => widget.lastAnswer()).toBe('Somebody is here');
  await expect.poll(() => widget.evaluate((host) => host.unread)).toBe(0);
});

test('a message that finds the service down is sent once it is back, from any tab', async ({ context }) => {
  const url = await chat.pageUrl('storage="local"', { path: '/down.html' });
  const tabs = [await tab(context, url), await tab(context, url)];
  await tabs[0]?.widget.say('Hello');
  for (const { page } of tabs)
    await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  const isFollowed = (path: string): boolean => /^GET .*\/threads\/.*\/events$/.test(path);
  await expect.poll(() => chat.proxy.requests.some(isFollowed)).toBe(true);
  for (const [place, { page, widget }] of tabs.entries()) {
    const words = `Said in tab ${place} while it is down`;
    await expect(widget.element.getByRole('button', { name: 'Conversations' })).toBeVisible();
    chat.proxy.isDown = true;
    chat.proxy.cutAll();
    await widget.say(words);
    await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'resuming' });
    chat.proxy.isDown = false;
    await expect.poll(() => widget.lastAnswer(), { timeout: 15_000 }).toBe(words);
    expect(chat.asked(words)).toBe(1);
    await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  }
});

test('a tab that learns late of another one shows what was said in both, and says it to the other', async ({
  context,
}) => {
  const url = await chat.pageUrl('storage="local"', { path: '/late.html' });
  const one = await tab(context, url);
  let requests = 0;
  let load = (): void => undefined;
  const mayLoad = new Promise<void>((resolve) => {
    load = resolve;
  });
  await one.page.route(/\/other-tabs-/, async (route) => {
    requests += 1;
    await mayLoad;
    await route.continue();
  });
  await one.widget.say('Said while alone');
  await expect.poll(() => readTurn(one.page)).toMatchObject({ status: 'completed', connection: 'idle' });
  expect(requests).toBe(0);
  const other = await tab(context, url);
  await other.widget.say('Said in the second tab');
  await expect.poll(() => other.widget.lastAnswer()).toBe('Said in the second tab');
  await one.widget.say('Said in the first tab');
  await expect.poll(() => one.widget.lastAnswer()).toBe('Said in the first tab');
  load();
  const texts = ['Said while alone', 'Said in the second tab', 'Said in the first tab'];
  const whole = texts.flatMap((text) => [`user: ${text}`, `assistant: ${text}`]);
  for (const { page } of [one, other]) {
    await expect.poll(() => shown(page)).toMatchObject({ texts: whole });
    await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'idle' });
  }
  for (const text of texts) expect(chat.asked(text)).toBe(1);
  await one.widget.say('Said together');
  await expect.poll(() => other.widget.lastAnswer()).toBe('Said together');
  expect(requests).toBe(1);
});

test('what is said in a tab before it can hear two others stays, and those show it', async ({ context }) => {
  const url = await chat.pageUrl('storage="local"', { path: '/early.html' });
  const one = await tab(context, url);
  let load = (): void => undefined;
  const mayLoad = new Promise<void>((resolve) => {
    load = resolve;
  });
  await one.page.route(/\/other-tabs-/, async (route) => {
    await mayLoad;
    await route.continue();
  });
  const others = [await tab(context, url), await tab(context, url)];
  await one.widget.say('Said early');
  await expect.poll(() => readTurn(one.page)).toMatchObject({ status: 'completed', connection: 'idle' });
  load();
  for (const { page } of [one, ...others])
    await expect
      .poll(() => shown(page))
      .toMatchObject({ texts: ['user: Said early', 'assistant: Said early'] });
  expect(chat.asked('Said early')).toBe(1);
});

test('a tab that could not load what keeps tabs in step tries again when it becomes visible', async ({
  context,
}) => {
  const url = await chat.pageUrl('storage="local"', { path: '/retry.html' });
  const one = await tab(context, url);
  await one.widget.say('Said while alone');
  await expect.poll(() => readTurn(one.page)).toMatchObject({ status: 'completed', connection: 'idle' });
  let attempts = 0;
  await one.page.route(/\/other-tabs-/, async (route) => {
    attempts += 1;
    await route.abort();
  });
  const other = await tab(context, url);
  await expect.poll(() => attempts).toBe(1);
  await other.widget.say('Said while apart');
  await expect.poll(() => other.widget.lastAnswer()).toBe('Said while apart');
  expect(await one.widget.lastAnswer()).toBe('Said while alone');
  await one.page.unroute(/\/other-tabs-/);
  await one.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => one.widget.lastAnswer()).toBe('Said while apart');
  await one.widget.say('Said together');
  await expect.poll(() => other.widget.lastAnswer()).toBe('Said together');
  expect(chat.asked('Said while apart')).toBe(1);
});

test('in a sandboxed frame without locks, callback messages still arrive', async ({ page }) => {
  await chat.pageUrl('storage="local"', { path: '/framed.html' });
  const html = '<iframe src="/framed.html" width="500" height="700" sandbox="allow-scripts"></iframe>';
  chat.host.pages.set('/frame.html', { html: `<!doctype html><html lang="en"><title>Host</title>${html}` });
  await page.goto(`${chat.host.origin}/frame.html`);
  const frame = page.frameLocator('iframe');
  await frame.locator('textarea').fill('Said in a frame');
  await frame.locator('textarea').press('Enter');
  const answers = frame.locator('agent-chat-turn .answer');
  await expect(answers).toContainText('Said in a frame');
  const threadId = await frame
    .locator('agent-chat')
    .evaluate((host) => (host as AgentChat).conversation?.threadId ?? '');
  await expect
    .poll(() => chat.proxy.requests.some((request) => request.endsWith(`/threads/${threadId}/events`)))
    .toBe(true);
  await callBack(threadId, 'Your boat is in the frame');
  await expect(answers.last()).toContainText('Your boat is in the frame');
});
