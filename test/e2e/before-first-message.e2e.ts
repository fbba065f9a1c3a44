import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const threads = '/api/v1/hub/threads';

for (const [name, attributes, expected] of [
  ['nothing but its parts', '', []],
  ['the published config', 'live-config', ['/token', '/v1/hub/agents/booking/embedded-chat-config']],
  ['the last conversation', 'conversations="on"', ['/token', `${threads}?limit=1&agent_id=booking`]],
  [
    'the messages of the page’s thread',
    'thread-id="THREAD"',
    ['/token', `${threads}/THREAD/messages`, `${threads}/THREAD/events`],
  ],
] as const)
  test(`before the first message the widget requests ${name}`, async ({ page, sharedService: service }) => {
    const host = await PageServer.start();
    const token = await service.token();
    const threadId = randomUUID();
    host.answer = async (request, response) => {
      if (request.url !== '/token') return false;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ token }));
      return true;
    };
    host.pages.set('/page.html', {
      html: `<!doctype html><html lang="en"><title>Host</title><body>
        <agent-chat agent-id="booking" token-url="/token" ${attributes.replaceAll('THREAD', threadId)}></agent-chat>
        <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.method() !== 'OPTIONS' && !/\.(js|html|ico)$/.test(pathname)) asked.push(pathname + search);
      expect(request.postData() ?? '').not.toContain('Not sent');
    });
    await page.goto(`${host.origin}/page.html`);
    const chat = new ChatPage(page);
    await chat.launcher.waitFor();
    await page.waitForLoadState('networkidle');
    if (attributes !== 'live-config') expect(asked).toEqual([]);
    await chat.open();
    await chat.composer.fill('Not sent');
    if (expected.length === 0) await page.waitForLoadState('networkidle');
    const requests = expected.map((path) => path.replace('THREAD', threadId));
    await expect.poll(() => [...new Set(asked)].sort()).toEqual(requests.sort());
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).toBe(
      '[{},{}]',
    );
    await host.close();
  });
