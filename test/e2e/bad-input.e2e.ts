import { expect, test as withClock, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
let host: PageServer;

test.beforeAll(async () => {
  service = await ServiceProcess.start({ BODY_LIMIT: '20000', MESSAGE_LIMIT: '5000' });
  host = await PageServer.start();
});
test.afterAll(async () => {
  await service.stop();
  await host.close();
});

async function visit(page: Page, attributes: string): Promise<{ chat: ChatPage; diagnostics: string[] }> {
  const diagnostics: string[] = [];
  const faults: string[] = [];
  page.on('console', (entry) => diagnostics.push(entry.text()));
  page.on('pageerror', (fault) => faults.push(fault.message));
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <script async src="${service.origin}/agent-chat.js" ${attributes}></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  expect(faults).toEqual([]);
  return { chat: new ChatPage(page), diagnostics };
}

test('without a token the visitor is asked to sign in, and the words go out once there is one', async ({
  page,
}) => {
  const { chat } = await visit(page, 'data-agent-id="echo"');
  await chat.open();
  await chat.say('Keep these words');
  await expect(chat.notice).toContainText('sign in');
  await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('Keep these words');
  const token = await service.token();
  await chat.evaluate((element, given) => {
    element.tokenProvider = () => given;
  }, token);
  await expect.poll(() => chat.lastAnswer()).toBe('Keep these words');
  await expect(chat.notice).toHaveCount(0);
});

test('a wrong token is said as such, and never shown or told', async ({ page }) => {
  const { chat, diagnostics } = await visit(page, 'data-agent-id="echo" data-token="wrong.token.value"');
  await chat.open();
  await chat.say('Hello');
  await expect(chat.notice).toContainText('sign in');
  expect(await chat.element.locator('agent-chat-panel').innerText()).not.toContain('wrong.token.value');
  expect(diagnostics.join('\n')).not.toContain('wrong.token.value');
});

test('an unknown agent is said in words, with the reason for a developer', async ({ page }) => {
  const { chat } = await visit(page, `data-agent-id="nobody" data-token="${await service.token()}"`);
  const told = page.evaluate(
    () =>
      new Promise<{ kind: string; status?: number | undefined; requestId?: string | undefined }>((resolve) =>
        document.addEventListener('agent-chat-error', ({ kind, status, requestId }) =>
          resolve({ kind, status, requestId }),
        ),
      ),
  );
  await chat.open();
  await chat.say('Hello');
  await expect(chat.notice).toContainText('does not exist');
  await expect(chat.notice.getByRole('button', { name: 'New chat' })).toBeVisible();
  const { kind, status, requestId } = await told;
  expect([kind, status]).toEqual(['not-found', 404]);
  await expect(chat.notice).toContainText(`Reference: ${requestId?.slice(-8)}`);
});

test('a message over the service’s limit is said, and stays to be shortened', async ({ page }) => {
  const { chat } = await visit(page, `data-agent-id="echo" data-token="${await service.token()}"`);
  await chat.open();
  await chat.say('x'.repeat(30_000));
  await expect(chat.notice).toContainText(/too large/i);
  await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('xxxx');
});

test('a container that does not exist is told, and used as soon as it comes', async ({ page }) => {
  const attributes = `data-agent-id="echo" data-form-type="custom" data-container-id="later" data-token="t"`;
  const { chat, diagnostics } = await visit(page, attributes);
  await expect.poll(() => diagnostics.join('\n')).toContain('container-id: no element has the id "later"');
  await expect(chat.panel).toHaveCount(0);
  await page.evaluate(() => {
    const place = document.createElement('section');
    place.id = 'later';
    document.body.append(place);
  });
  await expect(page.locator('#later agent-chat agent-chat-panel .panel')).toBeVisible();
});

withClock('a container that never comes makes the chat float', async ({ page }) => {
  await page.clock.install();
  const { chat, diagnostics } = await visit(
    page,
    `data-agent-id="echo" data-form-type="custom" data-container-id="never"`,
  );
  await expect.poll(() => diagnostics.join('\n')).toContain('Waiting 10 s');
  await page.clock.fastForward(11_000);
  await expect(chat.launcher).toBeVisible();
});

const wrong = [
  { attribute: 'theme', value: 'purple', property: 'theme', kept: 'dark', allowed: 'light, dark, auto' },
  { attribute: 'width', value: '-5', property: 'width', kept: '500px', allowed: 'positive length' },
  {
    attribute: 'primary-color',
    value: 'url(x)',
    property: 'primaryColor',
    kept: '#123456',
    allowed: 'CSS colour',
  },
  { attribute: 'version', value: '1.5', property: 'version', kept: 3, allowed: 'whole number' },
  {
    attribute: 'enable-text-streaming',
    value: 'maybe',
    property: 'enableTextStreaming',
    kept: false,
    allowed: 'true or false',
  },
  {
    attribute: 'thread-id',
    value: 'abc',
    property: 'threadId',
    kept: '123e4567-e89b-12d3-a456-426614174000',
    allowed: 'UUID',
  },
  {
    attribute: 'base-url',
    value: 'javascript:alert(1)',
    property: 'baseUrl',
    kept: 'https://chat.example/',
    allowed: 'http',
  },
] as const;
for (const { attribute, value, property, kept, allowed } of wrong) {
  test(`${attribute}="${value}" keeps the previous value and reports what is allowed`, async ({ page }) => {
    const { chat, diagnostics } = await visit(page, `data-agent-id="echo"`);
    await chat.launcher.waitFor();
    await chat.evaluate(
      (element, [name, before, after]) => {
        element.setAttribute(String(name), String(before));
        element.setAttribute(String(name), String(after));
      },
      [attribute, kept, value] as const,
    );
    await expect(chat.element).toHaveJSProperty(property, kept);
    const told = diagnostics.filter((text) => text.includes(attribute));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(value);
    expect(told[0]).toContain(allowed);
  });
}

test('a page that gives no token is told how to give one, once', async ({ page }) => {
  const told: string[] = [];
  page.on('console', (entry) => told.push(entry.text()));
  host.pages.set('/no-token.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js"
      data-agent-id="a"></script></body></html>`,
  });
  await page.goto(`${host.origin}/no-token.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('Hello');
  await expect(chat.notice).toContainText(/sign in/i);
  expect(told.filter((text) => text.includes('token-url or tokenProvider'))).toHaveLength(1);
});

/** A page whose element has this JSON inside; what is told goes into `diagnostics`. */
async function visitWithJson(
  page: Page,
  json: unknown,
): Promise<{ chat: ChatPage; diagnostics: string[]; faults: string[] }> {
  const diagnostics: string[] = [];
  const faults: string[] = [];
  page.on('console', (entry) => diagnostics.push(entry.text()));
  page.on('pageerror', (fault) => faults.push(fault.message));
  host.pages.set('/json.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js"></script>
      <agent-chat agent-id="a" token="t"><script type="application/json">${JSON.stringify(json)}</script></agent-chat>`,
  });
  await page.goto(`${host.origin}/json.html`);
  return { chat: new ChatPage(page), diagnostics, faults };
}

test('entries and fields of another shape in the JSON are left out, told once, and the rest stands', async ({
  page,
}) => {
  const { chat, diagnostics, faults } = await visitWithJson(page, {
    starters: [null, { title: 'Tides', description: {} }, { prompt: 'no title' }],
    strings: { 'composer.placeholder': 5, 'composer.send': null, 'launcher.open': null, 'launcher.close': 3 },
    mentionables: [null, { id: '2' }, { id: '1', name: 'Ann', rank: 3 }],
    header: { subtitle: {}, disclaimer: 'Fine print' },
    feedback_reasons: 'x',
    allowed_origins: { images: [null, 'https://pictures.example'] },
    context: 'x',
  });
  await chat.open();
  await expect(chat.element.locator('[part~=starter]')).toHaveText(['Tides']);
  await expect(chat.composer).toHaveAttribute('placeholder', /[a-z]/i);
  await expect(chat.element.locator('[part~=header-status]')).not.toContainText('object');
  await expect(chat.element.locator('[part~=disclaimer]')).toHaveText('Fine print');
  await chat.composer.pressSequentially('@A');
  await expect(chat.element.locator('[part~=mentions] [role=option]')).toHaveText(['Ann']);
  expect(faults).toEqual([]);
  const told = diagnostics.filter((text) => text.includes('documented shape'));
  expect(told.filter((text) => text.includes('starters'))).toHaveLength(1);
  expect(told.join()).toContain('starters[0], starters[1].description, starters[2]');
  for (const path of [
    'strings.composer.placeholder',
    'mentionables[1]',
    'header.subtitle',
    'feedbackReasons',
  ])
    expect(told.join()).toContain(path);
});

test('an option of another shape altogether leaves the former one in force', async ({ page }) => {
  const { chat, diagnostics, faults } = await visitWithJson(page, { starters: [{ title: 'Tides' }] });
  await chat.open();
  const starter = chat.element.locator('[part~=starter]');
  await chat.evaluate((element) => Reflect.set(element, 'starters', 'x'));
  await expect.poll(() => diagnostics.join()).toContain('starters');
  await expect(starter).toHaveText(['Tides']);
  await chat.evaluate((element) => Reflect.set(element, 'starters', []));
  await expect(starter).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('a new layout replaces the former one, and taking it back leaves what the attributes say', async ({
  page,
}) => {
  const { chat } = await visitWithJson(page, {});
  await chat.launcher.waitFor();
  const seen = await chat.evaluate((element) => {
    element.setAttribute('accent-color', '#00ff00');
    element.layout = { primary_color: '#ff0000', theme: 'dark' };
    const first = [element.primaryColor, element.theme];
    element.layout = { theme: 'light' };
    const second = [element.primaryColor, element.theme];
    element.layout = undefined;
    return [first, second, [element.theme, element.accentColor]];
  });
  expect(seen).toEqual([
    ['#ff0000', 'dark'],
    ['#1f3a5f', 'light'],
    ['auto', '#00ff00'],
  ]);
});

test('an upload that gives no id has failed, and a message put in place of another goes out', async ({
  page,
}) => {
  const { chat, diagnostics } = await visitWithJson(page, {});
  await chat.evaluate((element) => {
    Reflect.set(element, 'uploadDocument', () => Promise.resolve(7));
    element.addEventListener('agent-chat-message-submit', (event) => {
      event.message = { ...event.message, context: { stamp: 1 } };
    });
  });
  await chat.open();
  await chat.element
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await expect.poll(() => diagnostics.join()).toContain('must resolve to the id');
  const sent = page.waitForRequest((request) => request.url().endsWith('/runs/stream'));
  await chat.evaluate((element) => void element.send('Hello').catch(() => undefined));
  expect((await sent).postDataJSON()).toMatchObject({ message: { context: { stamp: 1 } } });
});

test('a renderer is called again only for what it draws, and cleans up before', async ({ page }) => {
  const { chat } = await visitWithJson(page, {});
  host.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = plainTurn(['x']).map(({ data, ...event }) => ({
      ...event,
      data: data['message']
        ? {
            ...data,
            message: {
              ...(data['message'] as object),
              content: [{ response_type: 'user_defined', id: 'u', user_defined: {} }],
            },
          }
        : data,
    }));
    await sendEvents(response, framings['real SSE'], events, 0);
    return true;
  };
  await chat.evaluate(async (element) => {
    Reflect.set(globalThis, 'counts', [0, 0]);
    const counts = Reflect.get(globalThis, 'counts') as number[];
    void element.registerRenderer('user_defined', (_item, container) => {
      counts[0] = (counts[0] ?? 0) + 1;
      container.replaceChildren(document.createElement('input'));
      return () => (counts[1] = (counts[1] ?? 0) + 1);
    });
    await element.show();
    await element.send('Hello');
  });
  const input = page.locator('agent-chat > div > input');
  await input.fill('typed');
  await chat.evaluate((element) => Object.assign(element, { theme: 'dark', heading: 'Harbour' }));
  await expect(chat.element.locator('[part~=header-name]')).toHaveText('Harbour');
  await expect(input).toHaveValue('typed');
  await chat.evaluate((element) => element.newThread());
  await expect(input).toHaveCount(0);
  const [calls, cleaned] = await page.evaluate(() => Reflect.get(globalThis, 'counts') as number[]);
  expect(cleaned).toBe(calls);
  host.answer = () => false;
});

test('a panel that cannot be made is told and said by the launcher, and comes once it can', async ({
  page,
}) => {
  const { chat, diagnostics } = await visitWithJson(page, {});
  await chat.launcher.waitFor();
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'languages', {
      configurable: true,
      get: () => {
        throw new Error('not today');
      },
    });
  });
  await chat.launcher.click();
  await expect(chat.launcher).toHaveAccessibleName(/could not be loaded/);
  await expect.poll(() => diagnostics.join()).toContain('not today');
  await page.evaluate(() => Reflect.deleteProperty(navigator, 'languages'));
  await expect(chat.panel).toBeVisible();
});

test('a stream that ends early keeps the partial text, says so and offers Retry', async ({ page }) => {
  const server = await PageServer.start();
  let posts = 0;
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    posts += 1;
    const events = plainTurn(['Only the ', 'first half', ' and the rest.']);
    expect((JSON.parse(body) as { message: { content: unknown[] } }).message.content).toHaveLength(1);
    await sendEvents(response, framings['real SSE'], posts === 1 ? events.slice(0, 4) : events, 10);
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>',
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('Tell me');
  await expect(chat.notice).toContainText('Connection lost');
  expect(await chat.lastAnswer()).toBe('Only the first half');
  await chat.notice.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => chat.lastAnswer()).toBe('Only the first half and the rest.');
  await expect(chat.notice).toHaveCount(0);
  await server.close();
});

test('HTML with status 200 is named for the developer, with the fix', async ({ page }) => {
  const server = await PageServer.start();
  server.answer = (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><h1>Welcome to our proxy</h1>');
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>',
  });
  await page.goto(server.origin);
  const reason = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        document.addEventListener('agent-chat-error', (event) => resolve(event.reason)),
      ),
  );
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('Hello');
  await expect(chat.notice).toBeVisible();
  expect(await reason).toMatch(/HTML/);
  await server.close();
});

test('words pasted with a picture of them are words, a picture alone is a document', async ({ page }) => {
  const { chat } = await visitWithJson(page, {});
  await chat.evaluate((element) => {
    element.uploadDocument = () => Promise.resolve('document-1');
  });
  await chat.open();
  const paste = (texts: readonly string[]): Promise<boolean> =>
    chat.composer.evaluate((input, types) => {
      const clipboardData = new DataTransfer();
      for (const type of types) clipboardData.setData(type, 'Berth');
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return input.dispatchEvent(event);
    }, texts);
  const documents = chat.element.locator('[part~=attachment]');
  expect(await paste(['text/plain', 'text/html'])).toBe(true);
  await expect(documents).toHaveCount(0);
  expect(await paste(['text/html'])).toBe(false);
  await expect(documents).toHaveCount(1);
});
