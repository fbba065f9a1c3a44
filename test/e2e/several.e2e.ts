import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { readTurn, watchedChat } from '../tools/faulty-chat.ts';
import { test } from '../tools/worker-context.ts';

const chat = watchedChat(test);

/** What each widget of a page shows. */
function shown(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('agent-chat')].map(({ conversation }) =>
      (conversation?.messages ?? []).map(({ items }) => items.map(({ text }) => text).join('')),
    ),
  );
}

/** A message from outside into the thread of a page's widget. */
async function callBack(page: Page, text: string, place = 0): Promise<void> {
  const threadId = await page.evaluate(
    (at) => document.querySelectorAll('agent-chat')[at]?.conversation?.threadId,
    place,
  );
  const body = { role: 'assistant', content: [{ response_type: 'text', text }] };
  const token = chat.service.serverKey;
  const posted = await chat.service.request('POST', `/api/v1/callback/${threadId}`, { body, token });
  expect(posted.status).toBe(201);
}

for (const storage of ['session', 'local'] as const) {
  test(`two widgets with one agent each keep their own conversation, also over a reload (${storage})`, async ({
    page,
  }) => {
    const twin = `
      const twin = document.querySelector('agent-chat').cloneNode();
      document.body.append(twin);
      twin.tokenProvider = () => window.token;`;
    await page.goto(
      await chat.pageUrl(`storage="${storage}"`, { path: `/twins-${storage}.html`, script: twin }),
    );
    const say = (place: number, words: string): Promise<void> =>
      page.evaluate(([at, text]) => document.querySelectorAll('agent-chat')[at]?.send(text), [
        place,
        words,
      ] as const);
    await page.locator('agent-chat agent-chat-composer').nth(1).waitFor();
    await say(1, 'Said to the second');
    await say(0, 'Said to the first');
    const both = [
      ['Said to the first', 'Said to the first'],
      ['Said to the second', 'Said to the second'],
    ];
    expect(await shown(page)).toEqual(both);
    await page.reload();
    await expect.poll(() => shown(page)).toEqual(both);
    await callBack(page, 'For the first', 0);
    await callBack(page, 'For the second', 1);
    await expect
      .poll(() => shown(page))
      .toEqual([
        [...(both[0] ?? []), 'For the first'],
        [...(both[1] ?? []), 'For the second'],
      ]);
  });
}

test('an element that replaces another continues its conversation at once', async ({ page }) => {
  const words = 'Sent just before the page showed another view, and told to its end in that one';
  const letGo = chat.hold(words);
  await page.goto(await chat.pageUrl('', { path: '/view.html' }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say(words);
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'streaming' });
  await page.evaluate(() => {
    const before = document.querySelector('agent-chat');
    const next = document.createElement('agent-chat');
    for (const { name, value } of before?.attributes ?? []) next.setAttribute(name, value);
    next.tokenProvider = () => String(Reflect.get(window, 'token'));
    before?.remove();
    document.body.append(next);
  });
  await expect.poll(() => shown(page)).toMatchObject([[words, expect.stringContaining('Sent')]]);
  letGo();
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', text: words, length: 2 });
  expect(chat.asked(words)).toBe(1);
});

test('the page hears the end of an answer once, however often it has replaced the element meanwhile', async ({
  page,
}) => {
  await page.goto(await chat.pageUrl('', { path: '/views.html' }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say('First');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  const words = 'Sent just before the page showed several other views, one shortly after the other';
  const letGo = chat.hold(words);
  await widget.say(words);
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'streaming' });
  await page.evaluate(async () => {
    const heard: string[] = [];
    Reflect.set(window, 'heard', heard);
    document.addEventListener('agent-chat-message-complete', () => heard.push('message'));
    document.addEventListener('agent-chat-run-end', ({ status }) => heard.push(status));
    for (let view = 0; view < 3; view += 1) {
      const before = document.querySelector('agent-chat');
      const next = document.createElement('agent-chat');
      for (const { name, value } of before?.attributes ?? []) next.setAttribute(name, value);
      next.tokenProvider = () => String(Reflect.get(window, 'token'));
      before?.remove();
      await new Promise((resolve) => setTimeout(resolve, 60));
      document.body.append(next);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  });
  letGo();
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', text: words });
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'heard') as string[]))
    .toEqual(['message', 'completed']);
  expect(chat.asked(words)).toBe(1);
});

test('an element that was removed leaves the stored conversation to the one that replaced it', async ({
  page,
}) => {
  await page.goto(await chat.pageUrl('', { path: '/removed.html' }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say('Kept');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  const stored = (): Promise<string[]> => page.evaluate(() => Object.keys(sessionStorage).sort());
  const before = await stored();
  await page.evaluate(() => {
    const [one] = document.querySelectorAll('agent-chat');
    const next = document.createElement('agent-chat');
    for (const { name, value } of one?.attributes ?? []) next.setAttribute(name, value);
    next.tokenProvider = () => String(Reflect.get(window, 'token'));
    one?.remove();
    document.body.append(next);
    // as a framework that cleans up after a view
    if (one) one.starters = [{ title: 'Too late' }];
    Reflect.set(window, 'removed', one);
  });
  await expect.poll(() => shown(page)).toEqual([['Kept', 'Kept']]);
  expect(await stored()).toEqual(before);
  await page.evaluate(() => document.body.append(Reflect.get(window, 'removed') as Element));
  await expect.poll(async () => (await stored()).some((key) => key.includes('+'))).toBe(true);
  expect(await stored()).toEqual(expect.arrayContaining(before));
});

test('windows with their own threads each receive their callbacks and resume their run', async ({
  context,
}) => {
  const url = await chat.pageUrl('', { path: '/windows.html' });
  const open = async (words: string): Promise<{ page: Page; widget: ChatPage }> => {
    const page = await context.newPage();
    await page.goto(url);
    const widget = new ChatPage(page);
    await widget.composer.waitFor();
    await widget.say(words);
    await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
    return { page, widget };
  };
  const one = await open('One');
  const other = await open('Other');
  const followed = /^GET .*\/threads\/.*\/events/;
  await expect
    .poll(() => new Set(chat.proxy.requests.filter((request) => followed.test(request))).size)
    .toBe(2);
  await callBack(one.page, 'For the one');
  await callBack(other.page, 'For the other');
  await expect.poll(() => one.widget.lastAnswer()).toBe('For the one');
  await expect.poll(() => other.widget.lastAnswer()).toBe('For the other');
  const story = 'An answer that is on in the one window meanwhile';
  const words = 'Reloaded in the middle of it';
  chat.hold(story);
  const letGo = chat.hold(words);
  await one.widget.say(story);
  await expect.poll(() => readTurn(one.page)).toMatchObject({ connection: 'streaming' });
  await other.widget.say(words);
  await expect.poll(() => other.widget.lastAnswer()).toContain('Reloaded');
  await other.page.reload();
  await expect.poll(() => other.widget.lastAnswer()).toContain('Reloaded');
  letGo();
  await expect.poll(() => other.widget.lastAnswer()).toBe(words);
  expect(await readTurn(one.page)).toMatchObject({ connection: 'streaming' });
  expect(chat.asked(words)).toBe(1);
});
