import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { pageServer } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);
const answer =
  'The harbour office opens at eight. Berths for boats of up to twelve metres lie at the inner pier, larger ones outside.';

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

/** A bare page of another origin with the script tag of our service. */
function hostPage(attributes: string, body = ''): string {
  const path = `/${Math.random().toString(36).slice(2)}.html`;
  host.pages.set(path, {
    html: `<!doctype html><html lang="en"><title>Shop</title><body>${body}
      <script async src="${service.origin}/agent-chat.js" ${attributes}></script></body></html>`,
  });
  return host.origin + path;
}

test('a visitor types, and the answer grows in the panel until it is what the agent sent', async ({
  page,
}) => {
  await page.goto(hostPage(`data-agent-id="echo" data-token="${await service.token()}"`));
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say(answer);
  const states = await chat.growingAnswers();
  expect(states.length).toBeGreaterThan(5);
  for (const [index, state] of states.entries()) {
    if (index > 0) expect(state.startsWith(states[index - 1] ?? '')).toBe(true);
  }
  expect(states.at(-1)).toBe(answer);
});

test('no request of a visitor who asks and reads four answers fails', async ({ page }) => {
  const failed: string[] = [];
  page.on('requestfailed', (request) =>
    failed.push(`${request.url()} ${request.failure()?.errorText ?? ''}`),
  );
  await page.goto(hostPage(`data-agent-id="echo" data-token="${await service.token()}"`));
  const chat = new ChatPage(page);
  await chat.open();
  await chat.answerAtOnce();
  for (const asked of [1, 2, 3, 4]) {
    const finished = page.waitForEvent('requestfinished', (request) =>
      request.url().endsWith('/runs/stream'),
    );
    await chat.say(`${answer} ${asked}`);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(asked);
    await Promise.race([finished, expect.poll(() => failed).not.toEqual([])]);
  }
  expect(failed).toEqual([]);
});

test('Stop keeps the partial text and ends the run on the service', async ({ page, request }) => {
  const token = await service.token();
  await page.goto(hostPage(`data-agent-id="echo" data-token="${token}"`));
  const chat = new ChatPage(page);
  const runs: string[] = [];
  await page.exposeFunction('runBegan', (id: string) => runs.push(id));
  await page.evaluate(() => {
    document.addEventListener('agent-chat-run-event', (event) => {
      const began = (globalThis as unknown as { runBegan: (id: string) => void }).runBegan; // exposed above
      if (event.runEvent.event === 'run.started') began(String(event.runEvent.data['run_id']));
    });
  });
  await chat.evaluate((element) => {
    Object.assign(element, { additionalParameters: { delay_ms: 60, chunk_length: 3 } });
  });
  await chat.open();
  await chat.say(answer);
  await expect.poll(() => chat.lastAnswer()).toContain('harbour');
  await expect(chat.button).toHaveAccessibleName('Stop');
  await chat.button.click();
  await expect(chat.button).toHaveAccessibleName('Send');
  await expect(chat.element.locator('agent-chat-notice')).toContainText('Stopped');
  const kept = await chat.lastAnswer();
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(answer.length);
  expect(answer.startsWith(kept)).toBe(true);
  const kinds = async (): Promise<string[]> => {
    const events = await request.get(`${service.origin}/api/v1/hub/runs/${runs[0] ?? ''}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
    });
    const lines = (await events.text()).trim().split('\n');
    return lines.map((line) => (JSON.parse(line) as { event: string }).event);
  };
  await expect.poll(kinds).toContain('run.cancelled');
  expect((await kinds()).at(-1)).toBe('done');
  expect(await kinds()).not.toContain('run.completed');
  expect(await chat.lastAnswer()).toBe(kept);
});

test('without text streaming nothing shows until the message is complete', async ({ page }) => {
  await page.goto(
    hostPage(`data-agent-id="echo" data-token="${await service.token()}" data-enable-text-streaming="false"`),
  );
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say(answer);
  const states = await chat.growingAnswers();
  expect(states).toEqual([answer]);
});

test('the script that Publish returns mounts on a foreign page as it was put', async ({ page, request }) => {
  const token = await service.token();
  const layout = {
    primary_color: '#4b1d3f',
    second_color: '#ffe8d6',
    accent_color: '#a4133c',
    theme: 'dark',
    enable_text_streaming: false,
    form: { type: 'custom', properties: { container_id: 'help-desk', width: '320px', height: '500px' } },
  };
  const put = await request.put(`${service.origin}/v1/hub/agents/echo/embedded-chat-config`, {
    headers: { authorization: `Bearer ${token}` },
    data: { layout, is_live: true },
  });
  expect(put.ok()).toBe(true);
  const config = (await put.json()) as {
    script: string;
    layout: unknown;
    is_live: boolean;
    updated_at: string;
  };
  expect(config.layout).toEqual(layout);
  expect(Date.parse(config.updated_at)).toBeGreaterThan(0);
  expect(config.script).not.toContain(token);
  host.pages.set('/foreign.html', {
    html: `<!doctype html><html lang="en"><title>Foreign</title><body><main id="help-desk"></main>${config.script}
      <script>document.addEventListener('agent-chat-token-needed', (event) => event.respondWith(${JSON.stringify(token)}))</script></body></html>`,
  });
  await page.goto(`${host.origin}/foreign.html`);
  const chat = new ChatPage(page, '#help-desk agent-chat');
  await expect(chat.panel).toBeVisible();
  const box = await chat.panel.boundingBox();
  expect([box?.width, box?.height]).toEqual([320, 500]);
  await expect(chat.element).toHaveJSProperty('enableTextStreaming', false);
  await expect(chat.element).toHaveJSProperty('primaryColor', '#4b1d3f');
  await expect(chat.element).toHaveJSProperty('accentColor', '#a4133c');
  expect(await chat.panel.evaluate((panel) => getComputedStyle(panel).colorScheme)).toBe('dark');
  await chat.say('Ahoy');
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy');
});

test('a colour in the config that is HTML comes out harmless', async ({ page, request }) => {
  const token = await service.token();
  const diagnostics: string[] = [];
  page.on('console', (entry) => diagnostics.push(entry.text()));
  for (const colour of [
    '"><script>window.harmed = 1</script>',
    'x" onload="window.harmed = 1',
    "' autofocus onfocus='window.harmed=1",
  ])
    await test.step(colour, async () => {
      const put = await request.put(`${service.origin}/v1/hub/agents/demo/embedded-chat-config`, {
        headers: { authorization: `Bearer ${token}` },
        data: { layout: { primary_color: colour, second_color: '#ffe8d6' } },
      });
      const { script } = (await put.json()) as { script: string };
      host.pages.set('/hostile.html', {
        html: `<!doctype html><html lang="en"><title>Hostile</title><body>${script}</body></html>`,
      });
      diagnostics.length = 0;
      await page.goto(`${host.origin}/hostile.html`);
      const chat = new ChatPage(page);
      await expect(chat.launcher).toBeVisible();
      expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false);
      expect(await page.locator('script').count()).toBe(1);
      await expect(chat.element).toHaveJSProperty('secondColor', '#ffe8d6');
      await expect(chat.element).toHaveJSProperty('primaryColor', '#1f3a5f');
      expect(diagnostics.join('\n')).toContain('primary-color');
    });
});
