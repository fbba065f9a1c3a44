import { expect } from '@open-wc/testing';
import { ChatFixture, freshTurn, RunService, until, visibleRatio } from '../chat-fixture.ts';
import { deepAll } from '../content/item-fixture.ts';
import { emulateMedia, emulateNotch, emulatePhone, emulateWindow, endEmulation } from '../emulation.ts';
import { layoutFaults } from '../../tools/one-scroller.ts';

interface Place {
  readonly width: number;
  readonly height: number;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Style of the element around the chat. */
  readonly box?: string;
  /** The page's own style sheet. */
  readonly css?: string;
}

const hard = [
  `# ${'Word'.repeat(20)}\n\n`,
  `${'x'.repeat(10_000)}\n\n`,
  `| ${'Column '.repeat(8).trim().split(' ').join(' | ')} |\n|${' --- |'.repeat(8)}\n|${' value |'.repeat(8)}\n\n`,
  `\`${'y'.repeat(300)}\` https://example.com/${'z'.repeat(300)}`,
];

describe('the place of the panel', function () {
  this.timeout(20_000);
  let service: RunService;
  let pieces: readonly string[];
  const chats: ChatFixture[] = [];
  const sheet = new CSSStyleSheet();
  beforeEach(() => {
    document.adoptedStyleSheets.push(sheet);
    pieces = ['A short answer.'];
    service = new RunService(() => freshTurn(pieces));
  });
  afterEach(async () => {
    for (const chat of chats.splice(0)) chat.remove();
    for (const box of document.querySelectorAll('.box')) box.remove();
    service.stop();
    sheet.replaceSync('');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    await endEmulation();
  });

  async function begin(attributes: Readonly<Record<string, string>> = {}): Promise<ChatFixture> {
    const chat = ChatFixture.begin({ storage: 'none', ...attributes });
    chats.push(chat);
    await chat.host.updateComplete;
    return chat;
  }

  async function visit({ width, height, attributes = {}, box, css = '' }: Place): Promise<ChatFixture> {
    if (!attributes['phone']) await emulateWindow(width, height);
    sheet.replaceSync(`body { margin: 0 } ${css}`);
    const chat = await begin(attributes);
    if (box !== undefined) {
      const around = Object.assign(document.createElement('div'), { className: 'box' });
      around.style.cssText = box;
      document.body.append(around);
      around.append(chat.host);
    }
    await chat.open();
    // what grows in has arrived
    await chat.still();
    return chat;
  }

  const boxOf = (chat: ChatFixture): DOMRect => chat.find('.panel').getBoundingClientRect();
  const ask = async (chat: ChatFixture, text: string): Promise<void> => {
    chat.say(text);
    await chat.answered(1);
  };

  /** Parts of the panel that reach out of it sideways. */
  function spilled(chat: ChatFixture): string[] {
    const frame = boxOf(chat);
    return chat
      .all('.panel *')
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        if (width < 2) return false;
        // what scrolls sideways by itself may be wider than its frame
        for (let up = element.parentElement; up; up = up.parentElement)
          if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return false;
        return left < frame.left - 1 || right > frame.right + 1;
      })
      .map(({ localName, className }) => `${localName}.${className}`);
  }

  for (const { width, height, window, is } of [
    { width: '400px', height: '640px', window: [1280, 800], is: [400, 640] },
    { width: '30rem', height: '50dvh', window: [1280, 800], is: [480, 400] },
    { width: '50%', height: '75%', window: [1280, 800], is: [640, 600] },
    { width: '500', height: '20em', window: [1280, 900], is: [500, 320] },
    { width: '9000px', height: '9000px', window: [1280, 800], is: [1240, 692] },
    { width: '10px', height: '10px', window: [1280, 800], is: [280, 320] },
  ] as const) {
    it(`a floating panel of ${width} by ${height} is ${is[0]} by ${is[1]} pixels in its corner`, async () => {
      const [across, down] = window;
      const box = boxOf(await visit({ width: across, height: down, attributes: { width, height } }));
      expect([Math.round(box.width), Math.round(box.height)]).to.deep.equal([...is]);
      expect(Math.round(box.right)).to.equal(across - 20);
      expect(Math.round(box.bottom)).to.equal(down - 20 - 56 - 12);
    });
  }

  it('a panel in place fills its container, and is usable in one without a height', async () => {
    const attributes = { 'form-type': 'custom', width: '100%', height: '100%' };
    const place = { width: 1000, height: 800, attributes };
    const filled = boxOf(await visit({ ...place, box: 'width: 500px; height: 420px' }));
    expect([filled.width, filled.height]).to.deep.equal([500, 420]);
    chats[0]?.remove();
    const free = boxOf(await visit({ ...place, box: 'width: 500px' }));
    expect(free.width).to.equal(500);
    expect(free.height).to.be.above(400);
    expect(free.height).to.be.at.most(800);
  });

  it('a laptop at 200 % zoom has two thirds of the panel to read in', async () => {
    const chat = await visit({ width: 640, height: 400 });
    const read = chat.find('.scroller').getBoundingClientRect().height;
    expect(read / boxOf(chat).height).to.be.above(0.66);
  });

  it('an overlay covers the window', async () => {
    const attributes = { 'form-type': 'fullscreen-overlay' };
    const { x, y, width, height } = boxOf(await visit({ width: 1280, height: 800, attributes }));
    expect([x, y, width, height]).to.deep.equal([0, 0, 1280, 800]);
  });

  it('expanding a floating panel makes it larger and small again', async () => {
    const chat = await visit({ width: 1280, height: 800 });
    const size = (): number[] => [boxOf(chat).width, boxOf(chat).height];
    const [width = 0, height = 0] = size();
    chat.button('Expand').click();
    await until(() => size()[0]! > width && size()[1]! > height);
    chat.button(/collapse|smaller|restore|shrink/i).click();
    await until(() => size().join() === [width, height].join());
  });

  it('below 480 pixels the panel covers the window, and has text that phones do not zoom', async () => {
    await emulatePhone(360, 640);
    const chat = await visit({ width: 360, height: 640, attributes: { phone: 'true' } });
    const { x, y, width, height } = boxOf(chat);
    expect([x, y, width, height]).to.deep.equal([0, 0, 360, 640]);
    expect(parseFloat(getComputedStyle(chat.composer).fontSize)).to.be.at.least(16);
    expect(chat.buttons('Expand').filter((button) => button.checkVisibility())).to.have.length(0);
  });

  for (const dir of ['ltr', 'rtl']) {
    it(`in landscape, ${dir}, all content is beside the notch, once, and the header's colour goes on`, async () => {
      await emulatePhone(844, 390);
      await emulateNotch(47);
      const chat = await visit({ width: 844, height: 390, attributes: { phone: 'true', dir } });
      const header = chat.find('agent-chat-header');
      const close = chat.button('Close').getBoundingClientRect();
      const gap = dir === 'ltr' ? 844 - close.right : close.left - 47;
      expect(gap).to.be.within(0, 20);
      expect(header.getBoundingClientRect().left).to.equal(47);
      expect(getComputedStyle(header).boxShadow).to.not.equal('none');
      for (const part of ['.content', 'footer']) {
        const { paddingLeft, paddingRight } = getComputedStyle(chat.find(part));
        expect(parseFloat(paddingLeft)).to.be.closeTo(parseFloat(paddingRight), 0.1);
        expect(chat.find(part).getBoundingClientRect().left).to.be.at.least(47);
      }
    });
  }

  it('the composer is above the on-screen keyboard', async () => {
    const chat = await visit({ width: 360, height: 640 });
    const viewport = visualViewport!;
    Object.defineProperty(viewport, 'height', { configurable: true, value: 330 });
    Object.defineProperty(viewport, 'offsetTop', { configurable: true, value: 12 });
    viewport.dispatchEvent(new Event('resize'));
    await until(() => chat.composer.getBoundingClientRect().bottom <= 342);
    expect(boxOf(chat).y).to.equal(12);
    Reflect.deleteProperty(viewport, 'height');
    Reflect.deleteProperty(viewport, 'offsetTop');
    viewport.dispatchEvent(new Event('resize'));
  });

  for (const [width, height] of [
    [280, 560],
    [280, 320],
    [400, 720],
    [1600, 1000],
  ] as const) {
    it(`at ${width} by ${height} long words, names and tables fit, and one can still write`, async () => {
      pieces = hard;
      const heading = 'Agent of the harbour '.repeat(10);
      const chat = await visit({ width, height, attributes: { heading } });
      await ask(chat, `A question with a word of ${'w'.repeat(400)}`);
      expect(spilled(chat)).to.deep.equal([]);
      expect(chat.composer.getBoundingClientRect().bottom).to.be.at.most(boxOf(chat).bottom);
      expect(await visibleRatio(chat.button('Close'))).to.be.above(0);
      expect(document.documentElement.scrollWidth).to.be.at.most(width);
    });
  }

  for (const boxHeight of ['', 'height: 300px', 'height: 520px', 'height: 900px']) {
    it(`in place in a box (${boxHeight || 'of no height'}) header and composer are in view`, async () => {
      const attributes = { 'form-type': 'custom' };
      const chat = await visit({ width: 1000, height: 1000, attributes, box: `width: 380px; ${boxHeight}` });
      await ask(chat, 'Is all of it there?');
      expect(layoutFaults()).to.deep.equal([]);
      const room = Number(/\d+/.exec(boxHeight)?.[0] ?? 640);
      expect(Math.round(boxOf(chat).height)).to.equal(Math.min(640, room));
    });
  }

  for (const width of [360, 1000]) {
    it(`on a page zoomed by a quarter the panel is inside the window of ${width} pixels`, async () => {
      const chat = await visit({ width, height: 640, css: 'html { zoom: 1.25 }' });
      await ask(chat, 'Is all of it there?');
      expect(layoutFaults()).to.deep.equal([]);
      expect(boxOf(chat).x).to.be.at.least(0);
      expect(boxOf(chat).y).to.be.at.least(0);
      chat.button('Close').click();
      await until(async () => (await visibleRatio(chat.find('.launcher'))) > 0.99);
    });
  }

  for (const dir of ['ltr', 'rtl']) {
    it(`the launchers and the panels of two chats stand side by side (${dir})`, async () => {
      const one = await visit({ width: 1280, height: 800, attributes: { dir } });
      const two = await begin({ dir });
      const edge = (chat: ChatFixture): number =>
        Math.round(chat.find('.launcher').parentElement!.getBoundingClientRect().x);
      await two.open();
      await two.still();
      expect(Math.abs(edge(one) - edge(two))).to.equal(56 + 12);
      // the module that places panels loads with the second chat
      await until(() => {
        const [near, far] = [boxOf(one), boxOf(two)].sort((a, b) => a.x - b.x);
        return near!.right <= far!.x;
      });
      // both are reached
      for (const chat of [one, two]) await ask(chat, 'Hello');
      expect(layoutFaults()).to.deep.equal([]);
      const place = boxOf(two);
      one.find<HTMLElement>('.launcher').click();
      expect(boxOf(two)).to.deep.equal(place);
      // what is left closes up
      const corner = edge(one);
      one.remove();
      await until(() => edge(two) === corner);
    });
  }

  /** The element that a press in the middle of another one reaches. */
  function reached(element: Element): Element | null {
    const { x, y, width, height } = element.getBoundingClientRect();
    let met = document.elementFromPoint(x + width / 2, y + height / 2);
    while (met?.shadowRoot) {
      const inner = met.shadowRoot.elementFromPoint(x + width / 2, y + height / 2);
      if (!inner || inner === met) break;
      met = inner;
    }
    return met;
  }

  it('without room for two panels, the one that opened last is in front', async () => {
    const one = await visit({ width: 500, height: 700 });
    const two = await begin();
    await two.open();
    await two.still();
    await until(() => reached(two.composer) === two.composer);
    await ask(two, 'Hello');
    await one.host.hide();
    await one.open();
    await one.still();
    await until(() => reached(one.composer) === one.composer);
    await ask(one, 'And hello again');
    expect(layoutFaults()).to.deep.equal([]);
  });

  it('the panel is above a page element with the maximum z-index', async () => {
    const css =
      'body::after { content: ""; position: fixed; inset: 0; z-index: 2147483647; background: red }';
    const chat = await visit({ width: 1000, height: 700, css });
    expect(reached(chat.composer)).to.equal(chat.composer);
  });

  it('only opacity and transform are animated, for 120 to 200 milliseconds, and not with reduced motion', async () => {
    const chat = await visit({ width: 1000, height: 700 });
    const panel = chat.find('.panel');
    const times = (): number[] => {
      panel.classList.add('closed');
      const { transitionProperty, transitionDuration, animationDuration } = getComputedStyle(panel);
      expect(transitionProperty).not.to.match(/width|height|top|left|inset|margin/);
      panel.classList.remove('closed');
      return `${transitionDuration}, ${animationDuration}, ${getComputedStyle(panel).animationDuration}`
        .split(', ')
        .map((time) => parseFloat(time) * 1000);
    };
    for (const time of times().filter((each) => each > 0)) {
      expect(time).to.be.at.least(120);
      expect(time).to.be.at.most(200);
    }
    await emulateMedia({ 'prefers-reduced-motion': 'reduce' });
    for (const time of times()) expect(time).to.be.below(1);
    expect(deepAll(chat.host, '.panel')).to.have.length(1);
  });
});
