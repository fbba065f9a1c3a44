import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, plainTurn } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;

test.beforeEach(async () => {
  server = await PageServer.start();
  // as fast as possible: the whole answer arrives before the turn renders
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = plainTurn(['A ', 'short ', 'answer.']).map((event, index) => ({
      ...event,
      id: `${Date.now()}-${index}`,
    }));
    const framing = framings['real SSE'];
    response.writeHead(200, { 'content-type': framing.type });
    response.end(events.map((event) => framing.write(event)).join(''));
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><script>
        heard = [];
        for (const type of ['message-submit', 'run-start', 'run-event', 'message-complete', 'run-end'])
          document.addEventListener('agent-chat-' + type, ({ runEvent }) => heard.push(runEvent?.event ?? type));
      </script><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
});
test.afterEach(() => server.close());

test('the page gets events in the order in which they happen, however fast the service is', async ({
  page,
}) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  const heard = (): Promise<string[]> =>
    page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.splice(0)); // set by the page above
  for (const turn of [1, 2]) {
    await chat.say(`Question ${turn}`);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(turn);
    const types = await heard();
    expect(types.slice(0, 3)).toEqual(['message-submit', 'run-start', 'run.started']);
    expect(types.filter((type) => type === 'run-start')).toHaveLength(1);
    expect(types.slice(-2)).toEqual(['message-complete', 'run-end']);
    expect(types.indexOf('run-end')).toBeGreaterThan(types.indexOf('run.completed'));
  }
});
