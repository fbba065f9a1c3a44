import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { ceilings, jitter } from '../tools/sizes.js';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

const answer = `Three things:

- one
- [two](https://example.com)

| a | b |
|---|---|
| 1 | 2 |`;

/** To 0.1 kB, as the totals: 0.1 + 0.2 is more than 0.3. */
const limitOf = (key: keyof typeof ceilings): number => Number((ceilings[key] + jitter).toFixed(1));

test('the transfer size until an answer with a list, a table and a link is complete is within the limits', async ({
  page,
}) => {
  const transfers: Promise<{ readonly name: string; readonly kilobytes: number; readonly at: number }>[] = [];
  page.on('requestfinished', (request) => {
    if (!request.url().startsWith(service.origin) || request.resourceType() !== 'script') return;
    const name = request.url().slice(service.origin.length);
    const at = request.timing().startTime;
    transfers.push(
      request.sizes().then(
        ({ responseBodySize }) => ({ name, kilobytes: responseBodySize / 1000, at }),
        // the page was closed over what comes after the answer; were it counted, no sum would hold
        () => ({ name, kilobytes: Number.NaN, at }),
      ),
    );
  });
  /** What was asked for up to a moment, milliseconds since the epoch. */
  const transferred = async (until: number): Promise<{ total: number; names: string }> => {
    const counted = (await Promise.all(transfers)).filter(({ at }) => at <= until);
    return {
      total: Number(counted.reduce((sum, { kilobytes }) => sum + kilobytes, 0).toFixed(1)),
      names: counted.map(({ name, kilobytes }) => `${name} ${kilobytes.toFixed(1)}`).join('\n'),
    };
  };

  host.answer = async ({ url }, response) => {
    if (url !== '/chat-token') return false;
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ token: await service.token() }));
    return true;
  };
  host.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Shop</title><body><script async
      src="${service.origin}/agent-chat.js" data-agent-id="echo" data-token-url="/chat-token"></script>`,
  });
  // a loopback host is taken for a developer's, whose settings are checked by code of their own
  await page.goto(host.origin.replace('127.0.0.1', 'shop.localhost'));
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  await page.waitForLoadState('networkidle');
  const launcher = await transferred(Infinity);
  expect(launcher.total, launcher.names).toBeLessThanOrEqual(limitOf('launcher'));

  await chat.open();
  const finished = chat.evaluate(async (element) => {
    const isFinished = (): boolean =>
      Boolean(
        element.shadowRoot
          ?.querySelector('agent-chat-panel')
          ?.shadowRoot?.querySelector('agent-chat-transcript')
          ?.shadowRoot?.querySelector('agent-chat-turn')
          ?.shadowRoot?.querySelector('agent-chat-turn-actions'),
      );
    while (!isFinished()) await new Promise(requestAnimationFrame);
    return Date.now();
  });
  await chat.say(answer);
  const end = await finished;
  await expect(chat.answers.locator('a')).toHaveAttribute('href', 'https://example.com/');
  await expect(chat.answers.locator('li')).toHaveCount(2);
  await expect(chat.answers.locator('table, [role=table]')).toBeVisible();
  const whole = await transferred(end);
  expect(whole.total, whole.names).toBeLessThanOrEqual(limitOf('answer'));
  test.info().annotations.push({ type: 'transferred', description: `${whole.total} kB` });
});
