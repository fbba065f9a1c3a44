import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { wrongLayout } from '../tools/one-scroller.ts';
import { framings, PageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

// What is seen beyond the usual: on paper, in forced colours, with words longer than their place, under a finger.
let server: PageServer;
let content: readonly Readonly<Record<string, unknown>>[];
/** How the next run fails; undefined: it does not. */
let failure: Readonly<Record<string, unknown>> | undefined;
test.beforeAll(async () => {
  server = await PageServer.start();
  server.answer = async (request, response) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/runs/stream')) return false;
    const id = `m${server.requests.length}`;
    const events = plainTurn([]).map((event) =>
      event.event === 'message.created'
        ? { ...event, data: { ...event.data, message: { id, role: 'assistant', content } } }
        : event.event === 'run.completed' && failure
          ? { ...event, event: 'run.failed', data: { ...event.data, error: failure } }
          : event,
    );
    failure = undefined;
    await sendEvents(response, framings['real SSE'], events);
    return true;
  };
});
test.afterAll(() => server.close());

async function asked(page: Page, answer: typeof content, attributes = 'open'): Promise<ChatPage> {
  content = answer;
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title><body>
      <agent-chat agent-id="any" base-url="/" token="t" storage="none" ${attributes}></agent-chat>
      <script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${server.origin}/`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await chat.say('Go');
  await chat.element.locator('agent-chat-turn-actions button, agent-chat-notice .notice').first().waitFor();
  return chat;
}

const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung';

test('a chat in place is printed whole, without its controls', async ({ page }) => {
  const text = Array.from({ length: 60 }, (_, line) => `Line ${line + 1}`).join('\n\n');
  const attributes = 'form-type="custom" width="400px" height="420px"';
  const chat = await asked(page, [{ response_type: 'text', id: '1', text }], attributes);
  expect((await chat.panel.boundingBox())?.height).toBe(420);
  await page.emulateMedia({ media: 'print' });
  for (const words of ['Go', 'Line 1', 'Line 60']) {
    const line = chat.element.locator('agent-chat-turn').getByText(words, { exact: true });
    const inside = await line.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const host = document.querySelector('agent-chat');
      const panel = host?.shadowRoot?.querySelector('agent-chat-panel')?.shadowRoot?.querySelector('.panel');
      const scroller = panel?.querySelector('agent-chat-transcript')?.shadowRoot?.querySelector('.scroller');
      return [panel, scroller].every((frame) => {
        const box = frame?.getBoundingClientRect();
        return box && box.top <= top && bottom <= box.bottom;
      });
    });
    expect(inside, words).toBe(true);
  }
  await expect(chat.composer).toBeHidden();
  await expect(chat.element.locator('agent-chat-turn-actions button').first()).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  expect((await chat.panel.boundingBox())?.height).toBe(420);
});

test('a dark chat is printed with dark text on white', async ({ page }) => {
  const chat = await asked(
    page,
    [{ response_type: 'text', id: '1', text: 'Hello' }],
    'form-type="custom" theme="dark"',
  );
  const ground = () => chat.panel.evaluate((panel) => getComputedStyle(panel).backgroundColor);
  const dark = await ground();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(ground).toBe('rgb(255, 255, 255)');
  const words = chat.element.locator('agent-chat-turn').getByText('Hello');
  const shade = await words.evaluate((element) => /\d+/.exec(getComputedStyle(element).color)?.[0]);
  expect(Number(shade)).toBeLessThan(64);
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(ground).toBe(dark);
});

test('a header slot of the page leaves the buttons at the end', async ({ page }) => {
  const chat = await asked(
    page,
    [{ response_type: 'text', id: '1', text: 'Hello' }],
    'open><b slot="header">Ours</b',
  );
  await expect(chat.element.getByText('Ours')).toBeVisible();
  const panel = (await chat.panel.boundingBox())!;
  const close = (await chat.element
    .getByRole('button', { name: 'Close', exact: true })
    .first()
    .boundingBox())!;
  expect(panel.x + panel.width - close.x - close.width).toBeLessThanOrEqual(16);
});

test.describe('in forced colours', () => {
  test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: 'active' }));

  /** A system colour as the page has it now. */
  const system = (page: Page, name: string): Promise<string> =>
    page.evaluate((colour) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.cssText = `forced-color-adjust: none; color: ${colour}`;
      return getComputedStyle(probe).color;
    }, name);

  test('the selected name in the list of mentions stands out', async ({ page }) => {
    const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Hello' }]);
    await chat.evaluate((host) => {
      host.mentionables = [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Bob' },
      ];
    });
    await chat.composer.pressSequentially('@');
    const chosen = chat.element.getByRole('option', { name: 'Ada' });
    await expect(chosen).toHaveCSS('background-color', await system(page, 'Highlight'));
    await expect(chosen).toHaveCSS('color', await system(page, 'HighlightText'));
  });

  test('the typing indicator is visible', async ({ page }) => {
    const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Hello' }]);
    const { answer } = server;
    server.answer = () => new Promise(() => undefined);
    await chat.say('More');
    const mark = chat.element.locator('agent-chat-turn .dot').last();
    await expect(mark).toHaveCSS('border-top-width', '4px');
    await expect(mark).toHaveCSS('border-top-color', await system(page, 'CanvasText'));
    server.answer = answer;
  });

  test('a select looks different from a text field', async ({ page }) => {
    const properties = { one: { type: 'string', title: 'Pontoon', enum: ['A', 'B'] } };
    const json_schema = { type: 'object', properties };
    const chat = await asked(page, [{ response_type: 'form', id: '1', name: 'f', json_schema }]);
    await expect(chat.element.getByLabel('Pontoon')).toHaveCSS('appearance', 'auto');
  });

  test('a pressed thumb contrasts with its background', async ({ page }) => {
    const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Hello' }]);
    const thumb = chat.element.getByRole('button', { name: 'Good answer' });
    await thumb.click();
    await expect(thumb).toHaveAttribute('aria-pressed', 'true');
    await expect(thumb).toHaveCSS('background-color', await system(page, 'Highlight'));
    await expect(thumb).toHaveCSS('color', await system(page, 'HighlightText'));
  });
});

test('a source with a long name keeps its size; a long word in a table header stays in its column', async ({
  page,
}) => {
  const source = {
    title: longWord,
    text: 'Words',
    url: 'https://example.com/',
    ranges: [{ start: 0, end: 3 }],
  };
  const chat = await asked(page, [
    { response_type: 'conversational_search', id: '1', text: 'All of it.', citations: [source] },
    { response_type: 'table', id: '2', headers: [longWord, 'B'], rows: [{ cells: ['a', 1] }] },
  ]);
  const card = await chat.element.getByRole('button', { name: longWord }).first().boundingBox();
  expect(card?.width).toBeLessThanOrEqual(168);
  const [first, second] = await chat.element
    .locator('agent-chat-table th span')
    .evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().toJSON() as DOMRect));
  expect(first?.right).toBeLessThanOrEqual(second?.left ?? 0);
});

test('right to left: a name and the line under it start at the same edge, in any language', async ({
  page,
}) => {
  const source = {
    title: 'Rules',
    text: 'Words',
    url: 'https://example.com/',
    ranges: [{ start: 0, end: 3 }],
  };
  const chat = await asked(
    page,
    [{ response_type: 'conversational_search', id: '1', text: 'All of it.', citations: [source] }],
    'open lang="ar"',
  );
  await chat.evaluate((host) => {
    host.mentionables = [{ id: '1', name: 'Ada', description: 'Harbour office' }];
  });
  await chat.composer.pressSequentially('@');
  const lines = chat.element.locator('[role=option] > *, [part~=source] > *');
  await expect(lines).toHaveCount(4);
  const edges = await lines.evaluateAll((elements) =>
    elements.map((element) => {
      const words = new Range();
      words.selectNodeContents(element);
      return Math.round(words.getBoundingClientRect().right);
    }),
  );
  const [title, host, name, description] = edges;
  expect([title, name]).toEqual([host, description]);
});

test('a citation marker stays on the line of the word before it', async ({ page }) => {
  const text = 'Visitors lie on pontoon C. The office is open until 18:00, and late arrivals call it.';
  const ranges = [{ start: 0, end: text.length }];
  const source = { title: 'Rules', text: 'Words', url: 'https://example.com/', ranges };
  const chat = await asked(page, [
    { response_type: 'conversational_search', id: '1', text, citations: [source] },
  ]);
  const mark = chat.element.locator('agent-chat-citation-mark');
  await mark.waitFor();
  for (let width = 300; width <= 400; width += 4) {
    await chat.evaluate((host, pixels) => void (host.width = `${pixels}px`), width);
    await expect.poll(async () => (await chat.panel.boundingBox())?.width).toBe(width);
    const apart = await mark.evaluate((element) => {
      const word = new Range();
      const before = element.previousSibling as Text; // the answer's words
      word.setStart(before, before.length - 1);
      word.setEnd(before, before.length);
      const button = element.shadowRoot?.querySelector('button');
      return (button?.getBoundingClientRect().top ?? 0) - word.getBoundingClientRect().bottom;
    });
    expect(apart, `${width} px`).toBeLessThan(0);
  }
});

test('a welcome page that is too long starts with the greeting, also after a conversation', async ({
  page,
}) => {
  const text = Array.from({ length: 60 }, (_, line) => `Line ${line + 1}`).join('\n\n');
  const starters = Array.from({ length: 12 }, (_, index) => ({ title: `Question ${index + 1}` }));
  const chat = await asked(page, [{ response_type: 'text', id: '1', text }]);
  await expect(chat.element.getByText('Line 60', { exact: true })).toBeInViewport();
  await chat.evaluate((host, given) => void (host.starters = given), starters);
  await chat.evaluate((host) => host.newThread());
  const greeting = chat.element.locator('agent-chat-welcome h3');
  await expect(chat.element.getByRole('button', { name: 'Question 12' })).not.toBeInViewport();
  await expect(greeting).toBeInViewport({ ratio: 1 });
  await chat.say('Go on');
  await expect(chat.element.getByText('Line 60', { exact: true })).toBeInViewport();
});

test('on touch screens a checkbox is centred in its row and the Add button is large enough', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    const json_schema = {
      type: 'object',
      properties: {
        tick: { type: 'boolean', title: 'Electricity' },
        list: { type: 'array', title: 'Guests', items: { type: 'string' } },
      },
    };
    const chat = await asked(await context.newPage(), [
      { response_type: 'form', id: '1', name: 'f', json_schema },
    ]);
    const row = await chat.element.locator('label', { hasText: 'Electricity' }).boundingBox();
    const box = await chat.element.getByRole('checkbox', { name: 'Electricity' }).boundingBox();
    if (!row || !box) throw new Error('the form is not drawn');
    expect(Math.abs(row.y + row.height / 2 - (box.y + box.height / 2))).toBeLessThanOrEqual(1);
    const add = await chat.element.getByRole('button', { name: 'Add' }).boundingBox();
    expect(add?.height).toBeGreaterThanOrEqual(44);
  } finally {
    await context.close();
  }
});

test('on touch screens the button for a failure’s details is large enough', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    failure = { message: 'The books cannot be reached.' };
    const chat = await asked(await context.newPage(), [{ response_type: 'text', id: '1', text: 'Well' }]);
    await chat.element.evaluate((host) => host.setAttribute('preview', '')); // details are for developers
    const details = await chat.notice.locator('summary').boundingBox();
    expect(details?.height).toBeGreaterThanOrEqual(44);
  } finally {
    await context.close();
  }
});

test('disclosures have the rotating chevron of the steps instead of the browser’s triangle', async ({
  page,
}) => {
  failure = { message: 'The books cannot be reached.' };
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Well' }]);
  await chat.element.evaluate((host) => host.setAttribute('preview', ''));
  const summary = chat.notice.locator('summary');
  await expect(summary).not.toHaveCSS('display', 'list-item');
  await expect(summary.locator('svg')).toHaveCSS('transform', 'none');
  await summary.click();
  await expect(summary.locator('svg')).toHaveCSS('transform', 'matrix(0, 1, -1, 0, 0, 0)');
});

test('unchecked checkboxes and radio buttons have the background of fields', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const json_schema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name' },
      tick: { type: 'boolean', title: 'Electricity' },
      one: { type: 'string', title: 'Pontoon', enum: ['A', 'B'] },
    },
  };
  const ui_schema = { one: { 'ui:widget': 'radio' } };
  const chat = await asked(page, [{ response_type: 'form', id: '1', name: 'f', json_schema, ui_schema }]);
  const ground = await chat.element
    .getByLabel('Name')
    .evaluate((field) => getComputedStyle(field).backgroundColor);
  const ticks = [
    chat.element.getByRole('checkbox', { name: 'Electricity' }),
    chat.element.getByRole('radio', { name: 'A' }),
  ];
  for (const tick of ticks) {
    await expect(tick).toHaveCSS('appearance', 'none');
    await expect(tick).toHaveCSS('background-color', ground);
    await tick.check();
    await expect(tick).not.toHaveCSS('background-color', ground);
  }
});

test('right to left: title and labels of a form start at the same edge, in any language', async ({
  page,
}) => {
  const json_schema = { type: 'object', properties: { name: { type: 'string', title: 'Name' } } };
  const chat = await asked(
    page,
    [{ response_type: 'form', id: '1', name: 'f', title: 'Booking', json_schema }],
    'open lang="ar" heading="Harbour"',
  );
  const right = (selector: string): Promise<number> =>
    chat.element
      .locator(selector)
      .first()
      .evaluate((element) => {
        const words = new Range();
        words.selectNodeContents(element);
        return Math.round(words.getBoundingClientRect().right);
      });
  expect(await right('[part~=header-name]')).toBe(await right('[part~=header-status]'));
  const field = await chat.element.locator('agent-chat-form input').boundingBox();
  expect(await right('agent-chat-form .label')).toBe(Math.round((field?.x ?? 0) + (field?.width ?? 0)));
});

test('icons and citation markers scale with the text', async ({ page }) => {
  const text = 'All of it.';
  const source = { title: 'Rules', text: 'Words', ranges: [{ start: 0, end: text.length }] };
  const chat = await asked(page, [
    { response_type: 'conversational_search', id: '1', text, citations: [source] },
  ]);
  const pieces = [
    chat.element.locator('agent-chat-citation-mark button'),
    chat.element.getByRole('button', { name: 'Good answer' }).locator('svg'),
  ];
  const heights = (): Promise<number[]> =>
    Promise.all(pieces.map(async (piece) => (await piece.boundingBox())?.height ?? 0));
  await pieces[0]?.waitFor();
  const [mark = 0, thumb = 0] = await heights();
  await page.addStyleTag({ content: 'agent-chat { --agent-chat-size: 20px }' });
  const [largerMark, largerThumb] = await heights();
  expect(largerMark).toBeCloseTo((mark * 20) / 15, 1);
  expect(largerThumb).toBeCloseTo((thumb * 20) / 15, 1);
});

test('a quiet button has the accent colour instead of a border', async ({ page }) => {
  const chat = await asked(page, [
    { response_type: 'button', id: '1', button_type: 'post_back', kind: 'tertiary', label: 'More' },
    { response_type: 'text', id: '2', text: 'See [the page](https://example.com/).' },
  ]);
  const link = await chat.element.getByRole('link', { name: 'the page' }).evaluate((element) => {
    return getComputedStyle(element).color;
  });
  await expect(chat.element.getByRole('button', { name: 'More' })).toHaveCSS('color', link);
});

test('in dark mode a long draft has a scrollbar in the theme’s colours, like the conversation', async ({
  page,
}) => {
  // Firefox on Linux would draw its own in white.
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Fine.' }], 'open theme="dark"');
  const colour = await chat.element
    .getByRole('log')
    .evaluate((log) => getComputedStyle(log.closest('.scroller') ?? log).scrollbarColor);
  expect(colour).toContain('rgb');
  await chat.composer.fill('line\n'.repeat(20));
  await expect(chat.composer).toHaveCSS('scrollbar-color', colour);
  expect(await chat.composer.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
});

test('the header keeps its height when the connection is lost', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Hello' }]);
  const height = async () => (await chat.element.locator('agent-chat-header').boundingBox())?.height;
  const before = await height();
  await page.context().setOffline(true);
  await expect(chat.element.locator('agent-chat-header')).toContainText('offline');
  // a panel that comes in is a hair smaller until it stands
  expect(await height()).toBeCloseTo(before ?? 0, 1);
});

test('the space reserved for a loading item becomes visible only after a delay', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/chunks\/search-/, async (route) => {
    await held;
    await route.continue();
  });
  content = [{ response_type: 'conversational_search', id: '1', text: 'More?', citations: [] }];
  await chat.say('Well?');
  const room = chat.element.locator('agent-chat-item .room');
  await expect(room).toHaveCSS('animation-delay', '0.2s');
  await expect(room).toHaveCSS('animation-fill-mode', 'backwards');
  release();
  await expect(chat.element.getByText('More?')).toBeVisible();
});

test('actions appear below an answer only once all of its items are loaded', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/chunks\/search-/, (route) => released.then(() => route.continue()));
  const search = { response_type: 'conversational_search', id: '2', text: 'C 14', citations: [] };
  // a part within a part, too
  content = [{ response_type: 'card', id: '1', body: [search] }];
  await chat.say('More');
  const copy = chat.element.locator('agent-chat-turn-actions button').last();
  const card = chat.element.locator('agent-chat-card');
  await expect(card).toBeAttached();
  await expect.poll(() => chat.evaluate((host) => host.connection)).toBe('idle');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await expect(copy).toBeHidden();
  release();
  await expect(copy).toBeVisible();
  await expect(chat.element.getByText('C 14')).toBeVisible();
});

test('on touch screens the first action is aligned with the text of the answer', async ({ browser }) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 720 },
  });
  const page = await context.newPage();
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  const words = await chat.element.locator('.answer').boundingBox();
  const sign = await chat.element.locator('agent-chat-turn-actions svg').first().boundingBox();
  expect(Math.abs((sign?.x ?? 0) - (words?.x ?? 0))).toBeLessThanOrEqual(2);
  await context.close();
});

test('a price stays on one line in a table of many columns', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  const row = (cell: string): string => `|${` ${cell} |`.repeat(12)}\n`;
  const text = row('A') + row('--:') + row('€ 1234.50');
  const chat = await asked(page, [{ response_type: 'text', id: '1', text }]);
  const lines = await chat.element.locator('td').evaluateAll((cells) =>
    cells.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  expect(lines).toEqual(Array.from({ length: 12 }, () => 1));
});

test('a header in the colour of the conversation has a line below it', async ({ page }) => {
  const chat = await asked(
    page,
    [{ response_type: 'text', id: '1', text: 'Yes' }],
    'open theme="light" primary-color="#fff"',
  );
  const [line, ground] = await chat.element.locator('agent-chat-header').evaluate((header) => {
    const { borderBottomColor, borderBottomStyle, backgroundColor } = getComputedStyle(header);
    return [borderBottomStyle === 'solid' ? borderBottomColor : 'none', backgroundColor];
  });
  expect(line).toMatch(/^(rgb|color|ok)/);
  expect(line).not.toBe(ground);
});

test('a low chat in place leaves lines of the conversation visible above the composer', async ({ page }) => {
  const chat = await asked(
    page,
    [{ response_type: 'text', id: '1', text: 'Yes' }],
    'form-type="custom" width="300px" height="180px"',
  );
  await chat.evaluate((host) => (host.header = { disclaimer: 'Answers can be wrong.' }));
  await chat.composer.click();
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  const panel = (await chat.panel.boundingBox())!;
  const log = (await chat.element.getByRole('log').boundingBox())!;
  const footer = (await chat.element.locator('[part=footer]').boundingBox())!;
  expect(panel.height).toBe(180);
  expect(footer.y + footer.height).toBeLessThanOrEqual(panel.y + panel.height);
  expect(footer.y - Math.max(log.y, panel.y)).toBeGreaterThan(60);
  // the header draws in, and stays
  const header = (await chat.element.locator('agent-chat-header').boundingBox())!;
  expect(header.y).toBeGreaterThanOrEqual(panel.y);
  expect(header.height).toBeLessThanOrEqual(40);
  expect(await wrongLayout(page)).toEqual([]);
});

test('Send and the avatar’s letter scale with the text', async ({ page }) => {
  const chat = await asked(
    page,
    [{ response_type: 'text', id: '1', text: 'Yes' }],
    'open style="--agent-chat-size: 30px" heading="Harbour"',
  );
  const box = (await chat.element.locator('[part=composer]').boundingBox())!;
  const send = (await chat.button.boundingBox())!;
  expect(Math.abs(send.y - box.y - (box.y + box.height - send.y - send.height))).toBeLessThanOrEqual(1);
  await expect(chat.element.locator('.avatar')).toHaveCSS('font-size', /^2[78]/);
});

test('a placeholder that is too long ends with an ellipsis', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  await chat.composer.blur(); // under the caret some engines show it without
  const ends = await chat.composer.evaluate((field) => getComputedStyle(field, '::placeholder').textOverflow);
  expect(ends).toBe('ellipsis');
});

test('sources with and without a URL are aligned at the top', async ({ page }) => {
  const ranges = [{ start: 0, end: 3 }];
  const citations = [
    { title: 'Plan', url: 'https://harbour.example/', ranges },
    { title: 'Map', ranges },
  ];
  const chat = await asked(page, [
    { response_type: 'conversational_search', id: '1', text: 'Yes.', citations },
  ]);
  const tops = await chat.element
    .locator('.source span')
    .evaluateAll((titles) => titles.map((title) => title.getBoundingClientRect().top));
  expect(tops).toHaveLength(2);
  expect(tops[0]).toBe(tops[1]);
});

test('a prompt with an empty answer has a notice and no empty row', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  content = [];
  await chat.say('And?');
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(2);
  await expect.poll(() => chat.evaluate((host) => host.connection)).toBe('idle');
  const end = chat.element.locator('agent-chat-turn').last().locator('.end');
  await expect(end).toContainText('No answer came.');
  await expect(end.getByRole('button')).toHaveCount(0);
});

test('in a card, items below a loading item wait for it', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/chunks\/search-/, (route) => released.then(() => route.continue()));
  const search = { response_type: 'conversational_search', id: '2', text: 'C 14', citations: [] };
  const text = { response_type: 'text', id: '3', text: 'Under the search' };
  content = [{ response_type: 'card', id: '1', title: 'Over the search', body: [search, text] }];
  await chat.say('More');
  await expect(chat.element.getByText('Over the search', { exact: true })).toBeVisible();
  await expect(chat.element.getByText('Under the search', { exact: true })).toBeAttached();
  await expect(chat.element.getByText('Under the search', { exact: true })).toBeHidden();
  release();
  await expect(chat.element.getByText('Under the search', { exact: true })).toBeVisible();
});

test('many attachments leave the composer in place and the conversation visible', async ({ page }) => {
  const chat = await asked(page, [{ response_type: 'text', id: '1', text: 'Yes' }]);
  await chat.evaluate((host) => (host.uploadDocument = ({ name }) => Promise.resolve(name)));
  const files = Array.from({ length: 40 }, (_, index) => ({
    name: `Photo of the pontoon ${index}.jpeg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.from('x'),
  }));
  await chat.element.locator('agent-chat-composer input[type=file]').setInputFiles(files);
  await expect(chat.element.locator('[part~=attachment]')).toHaveCount(40);
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  expect((await chat.element.getByRole('log').boundingBox())?.height).toBeGreaterThan(200);
});

test('text in the launcher-icon slot is centred', async ({ page }) => {
  const text = { response_type: 'text', id: '1', text: 'Yes' };
  const chat = await asked(page, [text], 'open><b slot="launcher-icon">?</b');
  await chat.evaluate((host) => host.hide());
  const off = await chat.element.locator('> b').evaluate((letters) => {
    const range = document.createRange();
    range.selectNodeContents(letters);
    const [ink, place] = [range, letters.assignedSlot?.parentElement].map((of) =>
      of?.getBoundingClientRect(),
    );
    if (!ink || !place) return undefined;
    return [
      ink.x + ink.width / 2 - place.x - place.width / 2,
      ink.y + ink.height / 2 - place.y - place.height / 2,
    ];
  });
  for (const way of off ?? [99]) expect(Math.abs(way)).toBeLessThanOrEqual(1);
});
