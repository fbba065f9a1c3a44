import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { richTable, richText, richTurn } from '../../../tools/rich-answer.ts';
import { ChatFixture, fresh, RunService, streamOf, until } from '../../chat-fixture.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';

interface Shift extends PerformanceEntry {
  readonly hadRecentInput: boolean;
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

const inPlace = { 'form-type': 'custom', width: '100%', height: '100%' };
const layouts: Record<string, { attributes?: Record<string, string>; box?: string; style?: string }> = {
  float: {},
  'fullscreen-overlay': { attributes: { 'form-type': 'fullscreen-overlay' } },
  'in a container that has its height': { attributes: inPlace, box: 'width: 420px; height: 520px' },
  'placed by a style sheet that gives the element its height': {
    attributes: {
      'form-type': 'custom',
      height: '100%',
      style: 'display: block; height: 520px; width: 420px',
    },
  },
};

const named = ({ x, y, width, height }: DOMRect): string => `${width}×${height} at ${x}, ${y}`;

describe('layout shifts that the browser counts, of the page’s parts or the chat’s', function () {
  this.timeout(40_000);
  let service: RunService;
  let chat: ChatFixture;
  let page: HTMLElement;
  let observer: PerformanceObserver;
  let shifts: Shift[];
  beforeEach(async () => {
    await emulateWindow(1200, 800);
    service = new RunService(({ message }) => {
      const text = message.content[0]?.text ?? '';
      if (text.includes('fail')) return Response.json({ detail: 'no' }, { status: 500 });
      const words = text.includes('table') ? richTable + richText : richText;
      return streamOf(fresh(richTurn(words)), { pauseMs: 12 });
    });
    page = document.createElement('main');
    page.innerHTML = `<h1>A shop</h1><p>Words above it.</p><div></div>${'<p>Words below it.</p>'.repeat(12)}`;
    for (const part of page.children) (part as HTMLElement).style.minHeight = '60px'; // elements of HTML
    document.body.append(page);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    shifts = [];
    observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[]))); // of this type
    observer.observe({ type: 'layout-shift' });
  });
  afterEach(async () => {
    observer.disconnect();
    chat.remove();
    page.remove();
    service.stop();
    await endEmulation();
  });

  /** Shifts so far, but those that a press brings about, which are none by the measure's own rule. */
  async function counted(): Promise<Shift[]> {
    // what was shifted is told of after the frame that shows it
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    shifts.push(...(observer.takeRecords() as Shift[])); // of this type
    return shifts.filter(({ hadRecentInput }) => !hadRecentInput);
  }
  const told = async (): Promise<string[]> =>
    (await counted()).map(
      ({ value, sources }) =>
        `${value}: ${sources.map(({ node, previousRect: was, currentRect: is }) => `${node?.nodeName ?? 'in the chat'} ${named(was)} to ${named(is)}`).join()}`,
    );

  /** Sends with a real key: what it moves is no shift. */
  async function say(text: string): Promise<void> {
    chat.composer.focus();
    chat.write(text);
    await sendKeys({ press: 'Enter' });
  }

  function place({ attributes = {}, box }: (typeof layouts)[string]): void {
    const around = page.querySelector('div')!;
    // the room is there before the chat
    if (box) around.style.cssText = box;
    chat = ChatFixture.begin({ storage: 'none', ...attributes });
    if (attributes['form-type'] === 'custom') around.append(chat.host);
  }

  for (const [layout, settings] of Object.entries(layouts)) {
    it(`none while the chat opens, answers, fails and closes: ${layout}`, async () => {
      const { attributes = {} } = settings;
      if (attributes['style']) page.querySelector('div')!.style.cssText = 'height: 520px';
      await counted();
      shifts = [];
      place(settings);
      await chat.open();
      expect(await told(), 'loaded and open').to.deep.equal([]);
      for (const question of ['Which berths are free?', 'And next week?']) {
        await say(question);
        await until(() => chat.host.connection !== 'idle');
        await until(() => chat.lastAnswer.includes('Paragraph 6') && chat.host.connection === 'idle');
        expect(await told(), question).to.deep.equal([]);
      }
      await say('This will fail');
      await chat.shows('agent-chat-notice .notice');
      expect(await told(), 'failed').to.deep.equal([]);
      if (attributes['form-type'] !== 'custom') {
        chat.button('Close').click();
        await until(() => !chat.find('.panel').checkVisibility({ visibilityProperty: true }));
        await chat.open();
      }
      expect(await told(), 'closed and open again').to.deep.equal([]);
    });
  }

  it('a growing table shifts its columns by less than a hundredth, and nothing of the page', async () => {
    place(layouts['in a container that has its height']!);
    await counted();
    shifts = [];
    await chat.open();
    await say('Which berths are free, as a table?');
    await until(() => chat.lastAnswer.includes('Paragraph 6'));
    const found = await counted();
    // parts of a shadow tree are not named by the entry
    expect(
      found.flatMap(({ sources }) => sources.filter(({ node }) => node && page.contains(node))),
    ).to.deep.equal([]);
    expect(found.reduce((sum, { value }) => sum + value, 0)).to.be.below(0.01);
  });
});
