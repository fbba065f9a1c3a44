import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { openPlayground } from '../tools/playground-page.ts';
import { test } from '../tools/worker-context.ts';

test('a scenario plays with its raw events next to it; a run is saved as a file and replayed; a message comes from outside', async ({
  page,
  sharedService: service,
}) => {
  const { chat, complaints } = await openPlayground(page, service.origin, { width: 1440, height: 620 });
  const openTab = (name: string) => page.getByRole('tab', { name }).click();
  const list = page.locator('.events');
  const events = list.locator('b');
  const actions = chat.element.locator('agent-chat-turn-actions');

  await chat.answerAtOnce();
  await test.step('a scenario plays, and its events can be read', async () => {
    await page.getByRole('button', { name: /Plain answer/ }).click();
    await expect.poll(() => chat.lastAnswer()).toContain('free tonight');
    await openTab('Events');
    await expect(events.first()).toHaveText('run.started');
    await expect(events.last()).toHaveText('done');
    await page.getByLabel('Deltas').uncheck();
    await expect(list).not.toContainText('message.delta');
    await page.getByLabel('Deltas').check();
    expect(complaints).toEqual([]);
  });

  await test.step('the events show the newest when they are opened, and follow it', async () => {
    const below = () => list.evaluate((ol) => ol.scrollHeight - ol.scrollTop - ol.clientHeight);
    await openTab('Embed');
    await chat.say('/long 1500');
    await expect(actions).toHaveCount(2, { timeout: 30_000 });
    await openTab('Events');
    await expect.poll(below).toBeLessThan(2);
    expect(await list.evaluate((ol) => ol.scrollTop)).toBeGreaterThan(200);
    await chat.say('When is high water?');
    await expect(actions).toHaveCount(3, { timeout: 30_000 });
    await expect(events.last()).toHaveText('done');
    await expect.poll(below).toBeLessThan(2);
  });

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the last run' }).click();
  const file = await (await saved).path();
  expect(await readFile(file, 'utf8')).toContain('"When is high water?"');

  await test.step('a reader who scrolled up among the events is left there', async () => {
    await list.evaluate((ol) => ol.scrollTo(0, 0));
    await openTab('Embed');
    await openTab('Events');
    await chat.say('hello');
    await expect(actions).toHaveCount(4, { timeout: 30_000 });
    expect(await list.evaluate((ol) => ol.scrollTop)).toBeLessThan(200);
  });

  await test.step('a callback message is posted to the chat’s thread and appears at once', async () => {
    await openTab('Scenarios');
    const posted = page.waitForResponse((response) => response.url().includes('/api/v1/callback/'));
    await page.getByRole('button', { name: 'Send a message from outside' }).click();
    const response = await posted;
    expect(response.status()).toBe(201);
    const thread = new URL(response.url()).pathname.split('/').at(-1) ?? '';
    const { token } = (await (await page.request.get(`${service.origin}/demo/token`)).json()) as {
      token: string;
    };
    const stored = await page.request.get(`${service.origin}/api/v1/hub/threads/${thread}/messages`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await stored.text()).toContain('all is settled');
    await expect.poll(() => chat.lastAnswer()).toContain('all is settled');
  });

  await test.step('the saved run is replayed, without the service', async () => {
    await page.reload();
    await chat.composer.waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openTab('Events');
    await page.locator('playground-events input[type="file"]').setInputFiles(file);
    await expect(events.last()).toHaveText('done', { timeout: 20_000 });
    await expect.poll(() => chat.lastAnswer()).toContain('two hours either side');
    expect(asked.filter((url) => url.endsWith('/runs/stream'))).toEqual([]);
  });

  await test.step('a recording of another visitor plays, and a question typed afterwards is answered', async () => {
    const ids = { run_id: crypto.randomUUID(), thread_id: crypto.randomUUID() };
    const text = { response_type: 'text', id: '1', text: 'At noon.' };
    const message = { role: 'assistant', content: [text] };
    const recording = [
      { event: 'recording.started', data: { message: 'When does it turn?' } },
      { id: '1-0', event: 'run.started', data: ids },
      { id: '1-1', event: 'message.created', data: { ...ids, message } },
      { id: '1-2', event: 'run.completed', data: ids },
      { id: '1-3', event: 'done', data: ids },
    ];
    const buffer = Buffer.from(recording.map((event) => JSON.stringify(event)).join('\n'));
    const foreign = { name: 'run.jsonl', mimeType: 'application/x-ndjson', buffer };
    await page.locator('playground-events input[type="file"]').setInputFiles(foreign);
    await expect.poll(() => chat.lastAnswer()).toContain('At noon.');
    await chat.answerAtOnce();
    await chat.say('When is high water?');
    await expect.poll(() => chat.lastAnswer()).toContain('two hours either side');
    await expect(chat.notice).toHaveCount(0);
  });
});

test('a cut stream is resumed without lost or repeated text, also before its first event; without an answer it is sent again', async ({
  page,
  sharedService: service,
}) => {
  const { chat } = await openPlayground(page, service.origin);
  const answer = 'two hours either side of high water.';
  const setSpeed = (speed: string) => page.getByText(speed, { exact: true }).click();
  const cut = page.getByRole('button', { name: 'Cut the connection' });
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/runs/stream')) posts.push(request.url());
  });

  // first: once an answer came, the chat knows that it may send a message again by itself
  await test.step('cut before the answer: the message can be sent again', async () => {
    await setSpeed('very slow');
    const asked = page.waitForRequest(/runs\/stream$/);
    await chat.say('Ahoy');
    await asked;
    await cut.click();
    await expect(page.locator('playground-scenarios [aria-live]')).toContainText('before the answer began');
    await setSpeed('full');
    await chat.notice.getByRole('button').first().click();
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  });

  await test.step('cut in the middle', async () => {
    await chat.evaluate((host) => host.newThread());
    posts.length = 0;
    await setSpeed('slow');
    await chat.say('When is high water?');
    await expect.poll(async () => (await chat.lastAnswer()).length).toBeGreaterThan(5);
    await cut.click();
    await setSpeed('full');
    await expect.poll(() => chat.lastAnswer(), { timeout: 30_000 }).toContain(answer);
    expect((await chat.lastAnswer()).split('High water at Grey Quay').length).toBe(2);
    expect(posts).toHaveLength(1);
  });

  await test.step('cut before the first event, with the run id from the headers', async () => {
    await chat.evaluate((host) => host.newThread());
    await setSpeed('very slow');
    await chat.say('When is high water?');
    const state = () =>
      chat.evaluate(({ connection, conversation }) => [connection, conversation?.runs.at(-1)?.status]);
    await expect.poll(state, { timeout: 20_000, intervals: [30] }).toEqual(['streaming', 'submitted']);
    await cut.click();
    await expect(page.getByText('Cut. The chat picks the answer up again.')).toBeVisible();
    await setSpeed('full');
    await expect.poll(() => chat.lastAnswer(), { timeout: 30_000 }).toContain(answer);
    expect(posts).toHaveLength(2);
  });
});

test('the strict page blocks nothing while the chat answers', async ({ page, sharedService: service }) => {
  await page.goto(`${service.origin}/strict-csp.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.answerAtOnce();
  await chat.say('/markdown');
  await expect.poll(() => chat.lastAnswer(), { timeout: 20_000 }).not.toBe('');
  await expect(page.locator('#violations')).toHaveText('Nothing has been blocked.');
});
