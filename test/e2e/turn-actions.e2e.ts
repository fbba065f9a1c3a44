import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
let host: PageServer;

test.describe.configure({ mode: 'parallel' });

test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  host = await PageServer.start();
});
test.afterAll(() => host.close());

interface SentMessage {
  readonly content: readonly { readonly text?: string; readonly response_type?: string }[];
  readonly [key: string]: unknown;
}

/** Opens a page with the widget and keeps every run request that it posts. */
async function visit(
  page: Page,
  agent: string,
  json = '{}',
): Promise<{ chat: ChatPage; sent: Record<string, unknown>[] }> {
  const sent: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/runs/stream')) {
      sent.push(request.postDataJSON() as Record<string, unknown>);
    }
  });
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="${agent}" token="${await service.token()}"><script type="application/json">${json}</script></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  return { chat, sent };
}

function messageOf(request: Record<string, unknown> | undefined): SentMessage {
  return request?.['message'] as SentMessage; // what the client posts
}

test('copy writes the answer to the clipboard as Markdown', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
  const { chat } = await visit(page, 'echo');
  await chat.say('Some **bold** words');
  await chat.element.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(chat.element.getByRole('button', { name: 'Copied', exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Some **bold** words');
});

test('regenerating replaces the answer, and the agent does not see the old one', async ({ page }) => {
  const { chat, sent } = await visit(page, 'demo');
  await chat.say('First question');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say('/history');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await expect.poll(() => chat.lastAnswer()).toContain('First question');
  await chat.element.getByRole('button', { name: 'Answer again' }).click();
  await expect.poll(() => sent.length).toBe(3);
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(2);
  const again = messageOf(sent[2]);
  expect(again.parent_message_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(again.content[0]?.text).toBe('/history');
  await expect.poll(() => chat.lastAnswer()).toContain('First question');
  expect(await chat.lastAnswer()).not.toContain('/history');
});

test('the last message can be edited, and the edit replaces it', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await chat.say('Good evning');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.element.getByRole('button', { name: 'Edit' }).click();
  const editor = chat.element.locator('agent-chat-visitor-message textarea');
  await expect(editor).toBeFocused();
  await editor.fill('Good evening');
  await editor.press('Enter');
  await expect.poll(() => chat.lastAnswer()).toBe('Good evening');
  await expect(chat.element.locator('agent-chat-visitor-message')).toHaveText(/Good evening/);
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(1);
  expect(sent).toHaveLength(2);
});

test('Enter on Cancel, or while an input method composes, sends no edit', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await chat.say('Good evning');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.element.getByRole('button', { name: 'Edit' }).click();
  const editor = chat.element.locator('agent-chat-visitor-message textarea');
  await editor.fill('Good evening');
  await editor.evaluate((input) => {
    const keys = { bubbles: true, composed: true, cancelable: true };
    input.dispatchEvent(new KeyboardEvent('keydown', { ...keys, key: 'Enter', keyCode: 229 }));
    input.dispatchEvent(new KeyboardEvent('keydown', { ...keys, key: 'Escape', isComposing: true }));
  });
  await expect(editor).toHaveValue('Good evening');
  await page.keyboard.press('Tab');
  await expect(chat.element.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.element.getByRole('button', { name: 'Edit' })).toBeFocused();
  await expect(chat.element.locator('agent-chat-visitor-message')).toHaveText(/Good evning/);
  expect(sent).toHaveLength(1);
});

test('an edit that is too long is reported and not sent', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await chat.say('Short');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.element.getByRole('button', { name: 'Edit' }).click();
  const editor = chat.element.locator('agent-chat-visitor-message textarea');
  await editor.fill('x'.repeat(100_020));
  await expect(chat.element.getByText('Too long by 20 characters').first()).toBeVisible();
  await editor.press('Enter');
  await expect(editor).toHaveAttribute('aria-invalid', 'true');
  await editor.fill('Shorter');
  await editor.press('Enter');
  await expect.poll(() => chat.lastAnswer()).toBe('Shorter');
  expect(sent).toHaveLength(2);
});

test('an edit is sent as a new message if newer messages arrived meanwhile', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await chat.say('First');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.element.getByRole('button', { name: 'Edit' }).click();
  const editor = chat.element.locator('agent-chat-visitor-message textarea');
  await editor.fill('First, said otherwise');
  await chat.say('Second');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await editor.press('Enter');
  await expect.poll(() => chat.lastAnswer()).toBe('First, said otherwise');
  await expect(chat.element.locator('agent-chat-visitor-message .block')).toHaveText([
    'First',
    'Second',
    'First, said otherwise',
  ]);
  expect(sent).toHaveLength(3);
});

test('feedback fires an event and is sent with the next message', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo', '{"feedback_reasons": ["Wrong", "Too long"]}');
  await page.evaluate(() => {
    document.addEventListener('agent-chat-feedback', (event) =>
      Reflect.set(globalThis, 'feedback', event.feedback),
    );
  });
  await chat.say('Hello');
  await chat.element.getByRole('button', { name: 'Bad answer' }).click();
  await expect(chat.element.getByRole('checkbox', { name: 'Wrong' })).toBeFocused();
  await chat.element.getByRole('checkbox', { name: 'Too long' }).check();
  await chat.element.getByLabel('Comment').fill('Please be brief');
  await chat.element.getByRole('button', { name: 'Send feedback' }).click();
  const feedback = { is_positive: false, text: 'Please be brief', selected_categories: ['Too long'] };
  expect(await page.evaluate(() => Reflect.get(globalThis, 'feedback') as unknown)).toEqual(feedback);
  await expect(chat.element.getByRole('button', { name: 'Bad answer' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await chat.say('Next');
  await expect.poll(() => sent.length).toBe(2);
  const state = messageOf(sent[1]).message_state as { content: Record<string, { feedback: unknown }> };
  expect(Object.values(state.content).map((entry) => entry.feedback)).toEqual([feedback]);
});

test('a changed rating leaves one thumb pressed, not both', async ({ page }) => {
  const { chat } = await visit(page, 'echo');
  await chat.say('Hello');
  const [good, bad] = ['Good answer', 'Bad answer'].map((name) => chat.element.getByRole('button', { name }));
  await good!.click();
  await bad!.click();
  await expect(bad!).toHaveAttribute('aria-pressed', 'true');
  await expect(good!).toHaveAttribute('aria-pressed', 'false');
  await chat.element.getByRole('button', { name: 'Cancel' }).click(); // the question only
  await expect(bad!).toHaveAttribute('aria-pressed', 'true');
});

test('the feedback form’s checkboxes use the theme, and a rating counts without the form', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const { chat } = await visit(page, 'echo', '{"feedback_reasons": ["Wrong"]}');
  await page.evaluate(() => {
    document.addEventListener('agent-chat-feedback', (event) =>
      Reflect.set(globalThis, 'feedback', event.feedback),
    );
  });
  await chat.say('Hello');
  const bad = chat.element.getByRole('button', { name: 'Bad answer' });
  await page.route(/chunks\/tools-/, (route) => route.abort());
  await bad.click();
  await expect(chat.element.locator('agent-chat-turn-actions .thanks')).toBeVisible();
  await expect(bad).toBeFocused();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'feedback') as unknown)).toEqual({
    is_positive: false,
    text: '',
    selected_categories: [],
  });

  await page.unrouteAll();
  await page.reload();
  await bad.click();
  await expect(chat.element.getByRole('checkbox', { name: 'Wrong' })).toHaveCSS('appearance', 'none');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(chat.element.getByRole('radio').first()).toHaveCSS('appearance', 'none');
});

test('a second message waits for the first, is shown as waiting, and can be cancelled', async ({ page }) => {
  const { chat, sent } = await visit(
    page,
    'echo',
    '{"additional_parameters": {"delay_ms": 60, "chunk_length": 2}}',
  );
  await chat.say('A first message that takes its time to come back');
  await expect.poll(() => chat.lastAnswer()).toContain('A first');
  await chat.say('Second');
  await chat.say('Third');
  await expect(chat.element.getByText('Waiting to be sent')).toHaveCount(2);
  await chat.element.getByRole('button', { name: 'Remove' }).last().click();
  await expect(chat.element.getByText('Waiting to be sent')).toHaveCount(1);
  await expect.poll(() => chat.lastAnswer(), { timeout: 15_000 }).toBe('Second');
  expect(sent.map((request) => messageOf(request).content[0]?.text)).toEqual([
    'A first message that takes its time to come back',
    'Second',
  ]);
});

test('starters on the empty page send their prompt', async ({ page }) => {
  const starters = [
    { title: 'Opening hours', description: 'Today and tomorrow', prompt: 'When do you open?' },
  ];
  const { chat } = await visit(page, 'echo', JSON.stringify({ starters, welcome: 'Welcome aboard' }));
  await expect(chat.element.getByRole('heading', { name: 'Welcome aboard' })).toBeVisible();
  await chat.element.getByRole('button', { name: 'Opening hours' }).click();
  await expect.poll(() => chat.lastAnswer()).toBe('When do you open?');
  await expect(chat.element.locator('.mark time')).toContainText('Today');
});

test('@ opens the page’s list; the chosen name is sent as a mention', async ({ page }) => {
  const people = [
    { id: '123e4567-e89b-12d3-a456-426614174000', name: 'Ada Lovelace', type: 'person' },
    {
      id: '123e4567-e89b-12d3-a456-426614174001',
      name: 'Grace Hopper',
      type: 'person',
      description: 'Pier B',
    },
  ];
  const { chat, sent } = await visit(page, 'echo', JSON.stringify({ mentionables: people }));
  await chat.composer.pressSequentially('Ask @gr');
  await expect(chat.element.getByRole('option')).toHaveText([/Grace Hopper/]);
  await chat.composer.press('Enter');
  await expect(chat.composer).toHaveValue('Ask @Grace Hopper ');
  await chat.composer.pressSequentially('please');
  await chat.composer.press('Enter');
  await expect.poll(() => sent.length).toBe(1);
  expect(messageOf(sent[0]).mentions).toEqual([{ id: people[1]?.id, name: 'Grace Hopper', type: 'person' }]);
});

test('with the keyboard each name in the list scrolls into view, and Shift+Tab goes back', async ({
  page,
}) => {
  const people = Array.from({ length: 8 }, (_, at) => ({
    id: `${at}`,
    name: `Person ${at}`,
    description: `Pier ${at}`,
  }));
  const { chat } = await visit(page, 'echo', JSON.stringify({ mentionables: people }));
  await chat.composer.pressSequentially('Ask @');
  const options = chat.element.getByRole('option');
  await expect(options).toHaveCount(8);
  for (const [key, at] of [
    ['ArrowUp', 7],
    ['ArrowDown', 0],
  ] as const) {
    await chat.composer.press(key);
    await expect(options.nth(at)).toHaveAttribute('aria-selected', 'true');
    await expect(options.nth(at)).toBeInViewport({ ratio: 1 });
  }
  await chat.composer.press('Shift+Tab');
  await expect(chat.composer).not.toBeFocused();
  await expect(options).toHaveCount(0);
  await expect(chat.composer).toHaveValue('Ask @');
});

test('documents are uploaded by the page, can fail and be retried, and are sent as ids', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await chat.evaluate((element) => {
    let tries = 0;
    element.uploadDocument = async (file, { onProgress }) => {
      onProgress(0.5);
      tries += 1;
      await Promise.resolve();
      if (file.name === 'second.txt' && tries === 2) throw new Error('no room');
      return file.name === 'first.txt'
        ? '123e4567-e89b-12d3-a456-426614174000'
        : '123e4567-e89b-12d3-a456-426614174001';
    };
  });
  const files = ['first.txt', 'second.txt'].map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  }));
  await chat.element.locator('input[type=file]').setInputFiles(files);
  await expect(chat.element.locator('agent-chat-attachments .failed .state')).toHaveText('failed');
  await chat.element.getByRole('button', { name: 'Upload second.txt again' }).click();
  await expect(chat.element.locator('agent-chat-attachments .failed')).toHaveCount(0);
  await chat.say('Please read these');
  await expect.poll(() => sent.length).toBe(1);
  expect(messageOf(sent[0]).document_ids).toEqual([
    '123e4567-e89b-12d3-a456-426614174000',
    '123e4567-e89b-12d3-a456-426614174001',
  ]);
  await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('2 documents attached');
  await expect(chat.element.locator('agent-chat-attachments li')).toHaveCount(0);
});

test('settings in the page’s JSON reach the agent, field by field', async ({ page }) => {
  const settings = {
    llm_params: {
      temperature: 0.2,
      length_penalty: { decay_factor: 1.5 },
      return_options: { input_tokens: true },
    },
    guardrails: { pii: { input: { enabled: false } } },
    context: { page: 'berths' },
    context_variables: { boat: 'Marigold' },
    additional_parameters: { note: 'kept' },
    environment_id: 'live',
    version: 3,
    message: {
      assistant_id: '123e4567-e89b-12d3-a456-426614174005',
      context: { values: [{ tide: 'low' }] },
      additional_properties: { svc_message: { origin: 'shop' }, tool_name: 'none' },
    },
  };
  const { chat, sent } = await visit(page, 'demo', JSON.stringify(settings));
  await chat.say('Hello');
  await expect.poll(() => sent.length).toBe(1);
  const { message, agent_id, ...rest } = sent[0] ?? {};
  expect(agent_id).toBe('demo');
  const { message: defaults, ...wanted } = settings;
  expect(rest).toEqual(wanted);
  expect(message).toMatchObject({
    ...defaults,
    role: 'user',
    content: [{ response_type: 'text', text: 'Hello' }],
  });
});

test('a page can change, cancel or delay a message', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await page.evaluate(() => {
    document.addEventListener('agent-chat-message-submit', (event) => {
      const [item] = event.message.content as { text: string }[];
      if (item?.text === 'secret') event.preventDefault();
      if (item?.text === 'later') {
        event.waitUntil(
          Promise.resolve().then(() => {
            item.text = 'now';
          }),
        );
      }
    });
  });
  await chat.say('secret');
  // nothing that was written is lost
  await expect(chat.composer).toHaveValue('secret');
  await chat.say('later');
  await expect.poll(() => chat.lastAnswer()).toBe('now');
  expect(sent).toHaveLength(1);
});

test('fields that a page removes stay removed, also defaults and on retry', async ({ page }) => {
  const defaults = {
    context: { values: ['secret'] },
    additional_properties: { tenant: 'x', plan: 'y' },
    message_state: { plan: 'y' },
  };
  const { chat, sent } = await visit(page, 'demo', JSON.stringify({ message: defaults }));
  await page.evaluate(() => {
    document.addEventListener('agent-chat-message-submit', (event) => {
      const { message } = event;
      const [item] = message.content as { text?: string }[];
      const seen = [message.context, message.additional_properties, message.message_state];
      Reflect.set(globalThis, 'seen', JSON.stringify(seen));
      if (item?.text === 'as it is') return;
      delete message.context;
      delete message.message_state;
      message.additional_properties = { plan: 'z' };
    });
  });
  const told = (place: number) => {
    const { context, additional_properties: properties, message_state: state } = messageOf(sent[place]);
    const { client_message_id: _, ...others } = properties as Record<string, unknown>;
    return { context, additional_properties: others, message_state: state };
  };
  await chat.say('Hello');
  await chat.element.getByRole('button', { name: 'Answer again' }).click();
  await expect.poll(() => sent.length).toBe(2);
  for (const place of [0, 1])
    expect(told(place)).toEqual({
      context: undefined,
      additional_properties: { plan: 'z' },
      message_state: undefined,
    });
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say('as it is');
  await expect.poll(() => sent.length).toBe(3);
  expect(told(2)).toEqual(defaults);
  // what an answer says itself lies over the defaults, and takes nothing of them away
  await chat.say('/form');
  await chat.element.locator('agent-chat-form').getByRole('button').first().click();
  const { context, additional_properties: properties, message_state: state } = defaults;
  const seen = await page.evaluate(() => JSON.parse(Reflect.get(globalThis, 'seen') as string) as unknown);
  const display_properties = { form_operation: 'cancel' };
  expect(seen).toEqual([context, { ...properties, display_properties }, state]);
  await expect.poll(() => sent.length).toBe(5);
  expect(told(4)).toEqual({
    context: undefined,
    additional_properties: { plan: 'z', display_properties },
    message_state: undefined,
  });
});

test('a delayed message is sent before the next one, and returns when the page cancels it', async ({
  page,
}) => {
  const { chat, sent } = await visit(page, 'echo');
  await page.evaluate(() => {
    document.addEventListener('agent-chat-message-submit', (event) => {
      const [item] = event.message.content as { text: string }[];
      if (item?.text === 'slow') event.waitUntil(new Promise((resolve) => setTimeout(resolve, 500)));
      if (item?.text === 'refused')
        event.waitUntil(new Promise((_resolve, reject) => setTimeout(() => reject(new Error('no')), 200)));
    });
  });
  await chat.say('slow');
  await chat.say('quick');
  await expect.poll(() => chat.lastAnswer()).toBe('quick');
  expect(sent.map((request) => messageOf(request).content[0]?.text)).toEqual(['slow', 'quick']);
  await chat.say('refused');
  await chat.composer.fill('written meanwhile');
  await expect(chat.composer).toHaveValue('refused\nwritten meanwhile');
  expect(sent).toHaveLength(2);
});

test('the page also sees answers to questions before they are sent', async ({ page }) => {
  const { chat, sent } = await visit(page, 'demo');
  await page.evaluate(() => {
    document.addEventListener('agent-chat-message-submit', (event) => {
      const [item] = event.message.content as { response_type?: string }[];
      if (item?.response_type !== 'form_operation') return;
      const seen = (Reflect.get(globalThis, 'seen') as number | undefined) ?? 0;
      Reflect.set(globalThis, 'seen', seen + 1);
      if (seen === 0) event.preventDefault();
      else Object.assign(event.message, { context: { consent: true } });
    });
  });
  await chat.say('/form');
  const cancel = chat.element.locator('agent-chat-form').getByRole('button').first();
  await expect(cancel).toBeVisible();
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  const asked = sent.length;
  await cancel.click();
  await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'seen') as number)).toBe(1);
  await cancel.click();
  await expect.poll(() => sent.length).toBe(asked + 1);
  expect(messageOf(sent.at(-1))).toMatchObject({ context: { consent: true } });
});

for (const [way, works] of [
  ['missing', true],
  ['missing', false],
  ['refused', false],
] as const) {
  test(`where the clipboard is ${way}, copying ${works ? 'uses a selection' : 'reports that it failed'}`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
    const faults: Error[] = [];
    page.on('pageerror', (fault) => faults.push(fault));
    await page.addInitScript(
      ({ missing, old }) => {
        Reflect.set(globalThis, 'clipboard', navigator.clipboard);
        const writeText = (): Promise<void> => Promise.reject(new DOMException('', 'NotAllowedError'));
        Object.defineProperty(navigator, 'clipboard', { value: missing ? undefined : { writeText } });
        if (!old) document.execCommand = () => false;
      },
      { missing: way === 'missing', old: works },
    );
    const { chat } = await visit(page, 'echo');
    await chat.say('Some **bold** words\n\n```js\nlet a;\n```');
    const outcome = works ? 'Copied' : 'Copying failed';
    const answer = chat.element.locator('agent-chat-turn-actions');
    for (const [place, text] of [
      [answer, 'Some **bold** words\n\n```js\nlet a;\n```'],
      [chat.element.locator('.code-head'), 'let a;'],
    ] as const) {
      await place.getByRole('button', { name: 'Copy', exact: true }).focus();
      await page.keyboard.press('Enter');
      const button = place.getByRole('button', { name: outcome, exact: true });
      await expect(button).toBeFocused();
      if (!works) await expect(place.getByText(outcome).first()).toBeVisible();
      else
        expect(
          await page.evaluate(() => (Reflect.get(globalThis, 'clipboard') as Clipboard).readText()),
        ).toBe(text);
    }
    await expect(chat.element.locator('textarea')).toHaveCount(1);
    expect(faults).toEqual([]);
  });
}

test('code is highlighted, and copied text contains only the answer', async ({ page }) => {
  const { chat } = await visit(page, 'echo');
  await chat.say('Before\n\n```js\nlet a;\n```\n\nAfter');
  await expect(chat.element.locator('.code-head')).toBeVisible();
  await expect(chat.element.locator('agent-chat-turn-actions')).toBeVisible();
  const { plain, keyword } = await chat.element.locator('.lines').evaluate(async (lines) => {
    while (!lines.querySelector('.keyword')) await new Promise(requestAnimationFrame);
    const colourOf = (element: Element): string => getComputedStyle(element).color;
    return { plain: colourOf(lines), keyword: colourOf(lines.querySelector('.keyword')!) };
  });
  expect(keyword).not.toBe(plain);
  const lines = chat.element.locator('agent-chat-markdown p');
  const from = (await lines.first().boundingBox())!;
  const to = (await lines.last().boundingBox())!;
  await page.mouse.move(from.x + 1, from.y + 4);
  await page.mouse.down();
  await page.mouse.move(to.x + 200, to.y + to.height - 4, { steps: 5 });
  await page.mouse.up();
  const selected = await page.evaluate(() => String(getSelection()));
  expect(selected).toContain('let a;');
  expect(selected).not.toMatch(/JavaScript|Wrap|Copy/);
});

test('a draft that the page sets in place of one that was too long can be sent', async ({ page }) => {
  const { chat, sent } = await visit(page, 'echo');
  await chat.composer.fill('x'.repeat(100_001));
  await expect(chat.composer).toHaveAttribute('aria-invalid', 'true');
  await chat.evaluate((element) => element.setDraft('short'));
  await expect(chat.composer).toHaveValue('short');
  await expect(chat.composer).not.toHaveAttribute('aria-invalid');
  await chat.composer.press('Enter');
  await expect.poll(() => sent.length).toBe(1);
});
