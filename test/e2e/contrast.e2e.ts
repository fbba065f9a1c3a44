import { expect, type Page } from '@playwright/test';
import { blend, formatHex, parse, wcagContrast } from 'culori';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';
import { formItem, itemTurn, richTable, richText, richTurn, withIds } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

/** How many triples of colours are tried in each theme and state; `TRIPLES=520` is the long run. */
const count = Number(process.env['TRIPLES'] ?? 8);

let server: PageServer;

const options = ['One', 'Two'].map((label) => ({ label, value: { input: { text: label } } }));
const form = formItem({
  title: 'Your booking',
  required: ['boat'],
  properties: {
    boat: { type: 'string', title: 'Boat name', description: 'As in its papers' },
    berth: { type: 'string', title: 'Berth', enum: ['C 14', 'D 03'] },
    agree: { type: 'boolean', title: 'I agree' },
  },
});

test.beforeAll(async () => {
  server = await PageServer.start();
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const [started, ...rest] = plainTurn(['Half of ']);
    const error = { message: 'The office’s books cannot be reached.' };
    const failed = { id: '', event: 'run.failed', data: { ...started?.data, error } };
    const half = [started, ...rest.slice(0, 2), failed].filter((event) => event !== undefined);
    const events = body.includes('options')
      ? itemTurn([{ response_type: 'option', id: 'o', title: 'Which?', preference: 'button', options }])
      : body.includes('form')
        ? itemTurn([form])
        : body.includes('fail')
          ? withIds(half)
          : body.includes('tasks')
            ? withIds(plainTurn(['- [x] Berth reserved\n- [ ] Deposit paid']))
            : richTurn(richText + richTable);
    await sendEvents(response, framings['real SSE'], events, 0);
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat agent-id="a" token="t" storage="none" height="2000px"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
});
test.afterAll(() => server.close());

/** Triples of any colours, greys and the hardest ones among them, the same at every run. */
function triples(): (readonly [string, string, string])[] {
  const hard = ['#777777', '#ffff00', '#0000ff', '#ffffff', '#000000', '#00ff00', '#ff0000', '#767676'];
  let state = 23;
  const any = (): string => {
    state = (state * 16807) % 2147483647;
    if (state % 5 === 0) return hard[state % hard.length] ?? '';
    return `#${(state % 0x1000000).toString(16).padStart(6, '0')}`;
  };
  return Array.from({ length: count }, () => [any(), any(), any()] as const);
}

/** A pair of colours as it is drawn: what is in front, and what lies behind it, the nearest first. */
interface Pair {
  readonly front: string;
  readonly behind: readonly string[];
  /** Least contrast that will do. */
  readonly least: number;
  readonly where: string;
}

const hexes = new Map<string, string>();
/** What layers of colours look like together. */
function flat(layers: readonly string[]): string {
  const key = layers.join(' ');
  const known = hexes.get(key);
  if (known) return known;
  const colours = [...layers].reverse().map((layer) => {
    const colour = parse(layer);
    if (!colour) throw new Error(`${layer} is no colour`);
    return colour;
  });
  const hex = formatHex(blend(colours, 'normal', 'rgb'));
  hexes.set(key, hex);
  return hex;
}

for (const state of ['at rest', 'under the pointer', 'with focus'] as const) {
  test(`all text, icons, borders and focus rings reach their contrast, ${state}, for any brand in both themes`, async ({
    page,
  }) => {
    test.setTimeout(60_000 + count * 1000);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(server.origin);
    const chat = new ChatPage(page);
    await chat.open();
    const turns = chat.element.locator('agent-chat-turn');
    const said = ['See https://example.com/plan, please', 'With options', 'This will fail', 'A form'];
    for (const [index, words] of said.entries()) {
      await chat.say(words);
      await expect(turns).toHaveCount(index + 1);
      await expect.poll(() => chat.evaluate((host) => host.connection)).toMatch(/idle|failed/);
    }
    const send = chat.element.locator('[part~=form-submit]');
    await expect(send).not.toHaveAttribute('aria-disabled', 'true');
    await send.click();
    await chat.element.locator('[aria-invalid=true]').first().waitFor();
    const pairs = await chat.evaluate(
      async (host, given) => {
        const deep = (root: ParentNode): Element[] =>
          [...root.querySelectorAll('*')].flatMap((each) => [
            each,
            ...(each.shadowRoot ? deep(each.shadowRoot) : []),
          ]);
        const inside = host.shadowRoot ? deep(host.shadowRoot) : [];
        const still = new CSSStyleSheet();
        still.replaceSync('* { transition: none !important; animation: none !important }');
        const pseudo = { 'at rest': '', 'under the pointer': ':hover', 'with focus': ':focus-visible' }[
          given.state
        ];
        // all that asks for the state is told that it is in it
        for (const { shadowRoot } of [host, ...inside]) {
          if (!shadowRoot) continue;
          shadowRoot.adoptedStyleSheets = [
            ...shadowRoot.adoptedStyleSheets.map((sheet) => {
              const copy = new CSSStyleSheet();
              const text = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
              copy.replaceSync(pseudo ? text.replaceAll(pseudo, ':is(*)') : text);
              return copy;
            }),
            still,
          ];
        }
        const parentOf = (element: Element): Element | null =>
          element.assignedSlot ??
          element.parentElement ??
          (element.getRootNode() as Partial<ShadowRoot>).host ??
          null;
        const isClear = (colour: string): boolean => /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
        const grounds = (from: Element | null): string[] => {
          const layers: string[] = [];
          for (let up = from; up; up = parentOf(up)) {
            const { backgroundColor } = getComputedStyle(up);
            if (isClear(backgroundColor)) continue;
            layers.push(backgroundColor);
            if (!/[/]|^rgba\(/.test(backgroundColor)) return layers;
          }
          return [...layers, 'rgb(255, 255, 255)'];
        };
        const found = new Map<string, Pair>();
        const note = (pair: Pair): void => {
          found.set([pair.front, ...pair.behind, pair.least].join(), pair);
        };
        const isFocusable = (each: Element): boolean =>
          each.matches('button, a[href], input, textarea, select, summary, [tabindex]');
        const measure = (brand: string): void => {
          for (const each of inside) {
            if (!each.checkVisibility({ visibilityProperty: true })) continue;
            if (each.matches('style, option, .visually-hidden, .visually-hidden *')) continue;
            const style = getComputedStyle(each);
            const where = `${brand} ${each.localName}.${String(each.getAttribute('class'))}`;
            const own = grounds(each);
            const around = grounds(parentOf(each));
            const isWritten = [...each.childNodes].some(
              ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
            );
            if (isWritten || each.matches('input, textarea, select'))
              note({ front: style.color, behind: own, least: 4.5, where });
            if (each.matches('input, textarea')) {
              const { color } = getComputedStyle(each, '::placeholder');
              note({ front: color, behind: own, least: 4.5, where: `${where} placeholder` });
            }
            const isOff = each.matches(
              ':disabled, [aria-disabled=true], :disabled *, [aria-disabled=true] *',
            );
            if (each.localName === 'svg' && !isOff)
              note({ front: style.stroke, behind: own, least: 3, where });
            const isBox = each.matches('button, input:not([type=checkbox], [type=radio]), select');
            if (isBox && !isOff && parseFloat(style.borderTopWidth) > 0 && !isClear(style.borderTopColor))
              note({ front: style.borderTopColor, behind: around, least: 3, where: `${where} border` });
            const ring = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== 'none';
            if (given.state === 'with focus' && ring && isFocusable(each)) {
              const ground = parseFloat(style.outlineOffset) < 0 ? own : around;
              note({ front: style.outlineColor, behind: ground, least: 3, where: `${where} ring` });
            }
          }
        };
        for (const theme of ['light', 'dark']) {
          // the launcher stands on the page itself
          document.documentElement.style.background = theme === 'dark' ? '#14171c' : '#ffffff';
          for (const [index, [primary, second, accent]] of given.triples.entries()) {
            host.setAttribute('theme', theme);
            host.setAttribute('primary-color', primary);
            host.setAttribute('second-color', second);
            host.setAttribute('accent-color', accent);
            await host.setDraft(index % 2 === 0 ? 'A draft' : '');
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            measure(`${theme} ${primary} ${second} ${accent}`);
          }
        }
        return [...found.values()];
      },
      { state, triples: triples() },
    );
    expect(pairs.length).toBeGreaterThan(count * 10);
    const faults = pairs.flatMap(({ front, behind, least, where }) => {
      const ground = flat(behind);
      const ratio = wcagContrast(flat([front, ground]), ground);
      return ratio >= least ? [] : [`${where}: ${front} on ${ground} is ${ratio.toFixed(2)}, not ${least}`];
    });
    expect(faults).toEqual([]);
  });
}

/** Contrast between the lightest and the darkest point of a picture, without `edge` (a share of its width) all round. */
function spread(page: Page, picture: Buffer, edge: number): Promise<readonly [string, string]> {
  return page.evaluate(
    async ({ data, border }) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas?.drawImage(bitmap, 0, 0);
      const [x, y] = [Math.ceil(width * border), Math.ceil(height * border)];
      const points = canvas?.getImageData(x, y, width - 2 * x, height - 2 * y).data ?? [];
      const colours = Array.from({ length: points.length / 4 }, (_none, index) => [
        ...points.slice(index * 4, index * 4 + 3),
      ]).sort((one, other) => Math.hypot(...one) - Math.hypot(...other));
      const written = (colour: number[] | undefined): string => `rgb(${(colour ?? []).join(' ')})`;
      return [written(colours[0]), written(colours.at(-1))] as const;
    },
    { data: picture.toString('base64'), border: edge },
  );
}

for (const theme of ['light', 'dark'] as const) {
  test(`the read-only checkboxes of a task list are not greyed out, ${theme}`, async ({ browser }) => {
    const page = await browser.newPage({ deviceScaleFactor: 3 });
    await page.goto(server.origin);
    const chat = new ChatPage(page);
    await chat.element.evaluate((host, name) => host.setAttribute('theme', name), theme);
    await chat.open();
    await chat.say('My tasks');
    await expect(chat.element.locator('agent-chat-turn-actions')).toBeVisible();
    const [ticked, open] = await chat.element.getByRole('checkbox').all();
    const tick = await spread(page, (await ticked?.screenshot()) ?? Buffer.of(), 0.2);
    expect(wcagContrast(...tick)).toBeGreaterThan(3);
    const edge = await spread(page, (await open?.screenshot()) ?? Buffer.of(), 0);
    expect(wcagContrast(...edge)).toBeGreaterThan(3);
    await page.close();
  });
}
