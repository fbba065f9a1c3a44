import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { readTurn, settle, watchedChat } from '../tools/faulty-chat.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

const chat = watchedChat(test);
test.beforeEach(() => {
  chat.proxy.isDown = false;
  chat.proxy.faults = [];
});

const pace = (milliseconds: number): string =>
  `document.querySelector('agent-chat').additionalParameters = { delay_ms: ${milliseconds}, chunk_length: 2 };`;

async function opened(
  page: Page,
  options: { readonly path: string; readonly script?: string; readonly attributes?: string },
): Promise<ChatPage> {
  await page.goto(await chat.pageUrl(options.attributes ?? '', options));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  return widget;
}

/** Hides or shows the tab, as seen by the page. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
    Object.defineProperty(document, 'visibilityState', {
      value: isHidden ? 'hidden' : 'visible',
      configurable: true,
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('offline is shown, and the run resumes when the network is back', async ({ page, context }) => {
  const words = 'The network goes away in the middle of this and comes back after a while';
  const widget = await opened(page, { path: '/offline.html', script: pace(40) });
  await widget.say(words);
  await expect.poll(() => widget.lastAnswer()).toContain('The network');
  await context.setOffline(true);
  chat.proxy.isDown = true;
  chat.proxy.cutAll();
  await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'offline', status: 'streaming' });
  await expect.poll(() => widget.element.evaluate((host) => host.matches(':state(offline)'))).toBe(true);
  await expect(widget.element.locator('agent-chat-header')).toContainText(/offline/i);
  chat.proxy.isDown = false;
  await context.setOffline(false);
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'idle', status: 'completed' });
  expect(chat.asked(words)).toBe(1);
});

test('a message sent offline is sent once when the network is back', async ({ page, context }) => {
  const words = 'Written on the train, in the tunnel';
  const widget = await opened(page, { path: '/tunnel.html', attributes: 'lang="de"' });
  const name = widget.element.locator('[part=header-name]');
  const offset = (): Promise<number> => name.evaluate((title) => (title as HTMLElement).offsetTop);
  const before = await offset();
  await context.setOffline(true);
  await widget.say(words);
  await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'offline' });
  // shown once, in one line of the header; nothing looks active
  const status = widget.element.locator('[part=header-status]');
  await expect(status).toContainText('Sie sind offline');
  await expect(widget.element.getByText('Sie sind offline')).toHaveCount(1);
  await expect(widget.element.locator('agent-chat-visitor-message')).toContainText('Wartet auf den Versand');
  await expect(widget.element.locator('[part=status-line]')).toHaveCount(0);
  expect((await status.boundingBox())?.height).toBeLessThan(20);
  expect(await offset()).toBe(before);
  expect(chat.asked(words)).toBe(0);
  await context.setOffline(false);
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  expect(chat.asked(words)).toBe(1);
});

isolatedTest(
  'after ten minutes asleep, with an expired token and no network, the same run resumes',
  async ({ page }) => {
    const words = 'This was begun before the lid was closed, and is read to its end when it is open again';
    await page.clock.install();
    const widget = await opened(page, { path: '/lid.html', script: pace(40) });
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toContain('This was');
    chat.proxy.isDown = true;
    chat.proxy.cutAll();
    const fresh = await chat.service.token('visitor', { lifetime: 36_000 });
    const asked = await page.evaluate((token) => {
      const reasons: string[] = [];
      Object.assign(window, { reasons });
      const element = document.querySelector('agent-chat');
      if (element) element.tokenProvider = (reason: string) => (reasons.push(reason), token);
      return reasons;
    }, fresh);
    expect(asked).toEqual([]);
    await page.clock.fastForward(600_000);
    chat.proxy.faults = [{ kind: 'status', status: 401, reaches: false }];
    chat.proxy.isDown = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    expect(await settle(page, chat)).toMatchObject({ status: 'completed', text: words, connection: 'idle' });
    expect(await page.evaluate(() => Reflect.get(window, 'reasons'))).toEqual(['rejected']);
    expect(chat.asked(words)).toBe(1);
    expect(chat.proxy.requests.filter((request) => /^POST .*stream/.test(request))).toHaveLength(1);
  },
);

isolatedTest(
  'while a message waits, a service that is down for minutes is tried until it is back',
  async ({ page }) => {
    const words = 'This is cut by an outage of minutes, and it is read to its end when that is over';
    await page.clock.install();
    const widget = await opened(page, { path: '/outage.html', script: pace(40) });
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toContain('This is');
    await widget.say('Me too');
    chat.proxy.isDown = true;
    chat.proxy.cutAll();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await page.clock.fastForward(25_000);
      await page.waitForTimeout(100); // real: the attempt fails meanwhile
    }
    await expect(widget.element.locator('[part=header-status]')).toHaveText('Reconnecting…');
    await expect(widget.element.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    chat.proxy.isDown = false;
    await setHidden(page, true);
    await setHidden(page, false); // at once, not after a delay
    await expect.poll(() => widget.lastAnswer()).toBe('Me too');
    await expect(widget.answers).toHaveText([words, 'Me too']);
    expect([chat.asked(words), chat.asked('Me too')]).toEqual([1, 1]);
  },
);

test('a rejected token is reported, the draft stays, and the run continues with a new token', async ({
  page,
}) => {
  const words = 'Said by somebody who has to sign in again first';
  const widget = await opened(page, { path: '/token.html', script: "window.token = 'not-a-token';" });
  await widget.say(words);
  await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'auth-needed', failure: 'auth' });
  await expect(widget.notice).toContainText(/sign in/i);
  expect(await widget.element.evaluate((element) => element.matches(':state(auth-needed)'))).toBe(true);
  await widget.composer.fill('a draft meanwhile');
  const fresh = await chat.service.token('visitor', { lifetime: 36_000 });
  await page.evaluate((token) => {
    const element = document.querySelector('agent-chat');
    if (element) element.tokenProvider = () => token;
  }, fresh);
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  await expect(widget.composer).toHaveValue('a draft meanwhile');
  expect(chat.asked(words)).toBe(1);
});

test('a hidden tab counts the answer as unread, and reading it removes the notification', async ({
  page,
}) => {
  const words = 'Nobody looks while this is said';
  const widget = await opened(page, { path: '/hidden.html', script: pace(10) });
  const counts = await page.evaluateHandle(() => {
    const seen: number[] = [];
    document.addEventListener('agent-chat-unread-change', (event) => seen.push(event.count));
    return seen;
  });
  await widget.say(words);
  await setHidden(page, true);
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', text: words });
  await expect.poll(() => counts.jsonValue()).toEqual([1]);
  const notified = (method: string): number =>
    chat.proxy.requests.filter((request) => request.startsWith(`${method} /api/v1/notifications/`)).length;
  await expect.poll(() => notified('POST')).toBe(1);
  expect(notified('DELETE')).toBe(0);
  await setHidden(page, false);
  await expect.poll(() => counts.jsonValue()).toEqual([1, 0]);
  await expect.poll(() => notified('DELETE')).toBe(1);
  await expect.poll(() => widget.lastAnswer()).toBe(words);
});

test('with notifications off nothing is posted, and unread answers are still counted', async ({ page }) => {
  const widget = await opened(page, {
    path: '/quiet.html',
    attributes: 'notifications="off"',
    script: pace(40),
  });
  await widget.say('Count this although nobody looks at the panel');
  await page.evaluate(() => document.querySelector('agent-chat')?.hide());
  await expect(widget.element.locator('.badge')).toHaveText('1');
  expect(chat.proxy.requests.filter((request) => request.includes('/notifications/'))).toEqual([]);
});

test('a moved element keeps reading; a removed one stops after a while and resumes when it returns', async ({
  page,
}) => {
  const words =
    'Moved from here to there while it is speaking, then taken out of the page and put back again later';
  const widget = await opened(page, { path: '/moved.html', script: pace(60) });
  await widget.say(words);
  await expect.poll(() => widget.lastAnswer()).toContain('Moved');
  await page.evaluate(() => {
    const element = document.querySelector('agent-chat');
    const place = document.body.appendChild(document.createElement('main'));
    if (element) place.append(element);
  });
  await expect.poll(() => widget.lastAnswer()).toContain('Moved from here');
  const reads = (): number => chat.proxy.requests.filter((request) => /^GET .*\/runs\//.test(request)).length;
  expect(reads()).toBe(0);
  await page.evaluate(() => {
    const element = document.querySelector('agent-chat');
    Object.assign(window, { taken: element });
    element?.remove();
  });
  await expect.poll(() => chat.proxy.open).toBe(0);
  expect(await page.evaluate(() => (Reflect.get(window, 'taken') as { connection: string }).connection)).toBe(
    'idle',
  );
  await page.evaluate(() => document.body.append(Reflect.get(window, 'taken') as Element));
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  expect(chat.asked(words)).toBe(1);
});

isolatedTest('an answer is not affected by changes of the system clock', async ({ page }) => {
  const words = 'Time goes strange ways while this is being said';
  await page.clock.install({ time: new Date('2030-01-01T10:00:00Z') });
  const widget = await opened(page, { path: '/clock.html', script: pace(25) });
  await widget.say(words);
  await expect.poll(() => widget.lastAnswer()).toContain('Time');
  await page.clock.setSystemTime(new Date('2019-05-05T05:05:05Z'));
  await expect.poll(() => widget.lastAnswer()).toContain('Time goes');
  await page.clock.setSystemTime(new Date('2042-05-05T05:05:05Z'));
  expect(await settle(page, chat)).toMatchObject({ status: 'completed', text: words });
  expect(chat.asked(words)).toBe(1);
});
