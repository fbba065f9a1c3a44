import { expect } from '@open-wc/testing';
import {
  ChatFixture,
  freshItems,
  freshTurn,
  RunService,
  textBox,
  until,
  visibleRatio,
} from '../chat-fixture.ts';
import { textOf } from '../content/item-fixture.ts';
import { emulateMedia, emulatePhone, emulateWindow, endEmulation } from '../emulation.ts';
import { layoutFaults } from '../../tools/one-scroller.ts';

// How the whole chat looks beyond the usual: on paper, in forced colours, with odd settings, under a finger.
type Items = readonly Record<string, unknown>[];

const hello: Items = [{ response_type: 'text', id: '1', text: 'Hello' }];
const sixtyLines = Array.from({ length: 60 }, (_, line) => `Line ${line + 1}`).join('\n\n');

describe('the looks of the chat', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    service = new RunService();
    await emulateWindow(1280, 720);
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  async function asked(
    items: Items,
    attributes: Readonly<Record<string, string>> = {},
    inside = '',
  ): Promise<void> {
    service.reply = () => freshItems(items);
    chat = ChatFixture.begin({ storage: 'none', ...attributes });
    chat.host.insertAdjacentHTML('beforeend', inside);
    await chat.open();
    chat.say('Go');
    await until(() => chat.all('agent-chat-turn-actions button, agent-chat-notice .notice').length > 0);
    await chat.still();
  }

  const box = (selector: string): DOMRect => chat.find(selector).getBoundingClientRect();
  const styleOf = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
  const paragraph = (text: string): HTMLElement =>
    chat.all('agent-chat-turn p, agent-chat-turn .block').find((one) => textOf(one) === text)!;

  it('a chat in place is printed whole, without its controls', async () => {
    const attributes = { 'form-type': 'custom', width: '400px', height: '100%' };
    await asked([{ response_type: 'text', id: '1', text: sixtyLines }], attributes);
    chat.host.parentElement!.style.height = '420px';
    expect(box('.panel').height).to.equal(420);
    await emulateMedia({}, 'print');
    for (const words of ['Go', 'Line 1', 'Line 60']) {
      const line = paragraph(words).getBoundingClientRect();
      for (const frame of [box('.layer'), box('.panel'), box('.scroller')]) {
        expect(frame.top, words).to.be.at.most(line.top);
        expect(frame.bottom, words).to.be.at.least(line.bottom);
      }
    }
    expect(chat.composer.checkVisibility()).to.equal(false);
    expect(chat.find('agent-chat-turn-actions button').checkVisibility()).to.equal(false);
    await emulateMedia({});
    expect(box('.panel').height).to.equal(420);
  });

  it('a dark chat is printed with dark text on white', async () => {
    await asked(hello, { 'form-type': 'custom', theme: 'dark' });
    const ground = (): string => styleOf(chat.find('.panel')).backgroundColor;
    const dark = ground();
    await emulateMedia({}, 'print');
    await until(() => ground() === 'rgb(255, 255, 255)');
    const [shade] = /\d+/.exec(styleOf(paragraph('Hello')).color) ?? [];
    expect(Number(shade)).to.be.below(64);
    await emulateMedia({});
    await until(() => ground() === dark);
  });

  it('a header slot of the page leaves the buttons at the end', async () => {
    await asked(hello, {}, '<b slot="header">Ours</b>');
    expect(chat.host.querySelector('b')?.checkVisibility()).to.equal(true);
    const close = chat.button('Close').getBoundingClientRect();
    expect(box('.panel').right - close.right).to.be.at.most(16);
  });

  describe('in forced colours', () => {
    beforeEach(() => emulateMedia({ 'forced-colors': 'active' }));

    /** A system colour as the page has it now. */
    const system = (name: string): string => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
      const { color } = styleOf(probe);
      probe.remove();
      return color;
    };
    const colours = (element: Element): string[] => [
      styleOf(element).backgroundColor,
      styleOf(element).color,
    ];

    it('the selected name in the list of mentions stands out', async () => {
      await asked(hello);
      chat.host.mentionables = [
        { id: '123e4567-e89b-12d3-a456-426614174001', name: 'Ada' },
        { id: '123e4567-e89b-12d3-a456-426614174002', name: 'Bob' },
      ];
      chat.composer.focus();
      chat.write('@');
      await chat.shows('[role=option]', 2);
      const [chosen] = chat.all('[role=option]');
      await until(() => colours(chosen!).join() === [system('Highlight'), system('HighlightText')].join());
    });

    it('the typing indicator is visible', async () => {
      await asked(hello);
      service.reply = () =>
        new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
      chat.say('More');
      await chat.shows('agent-chat-turn .pulse');
      const { borderTopWidth, borderTopColor } = styleOf(chat.find('agent-chat-turn .pulse'));
      expect([borderTopWidth, borderTopColor]).to.deep.equal(['4px', system('CanvasText')]);
    });

    it('a select looks different from a text field', async () => {
      const properties = { one: { type: 'string', title: 'Pontoon', enum: ['A', 'B'] } };
      await asked([
        { response_type: 'form', id: '1', name: 'f', json_schema: { type: 'object', properties } },
      ]);
      await chat.shows('agent-chat-form select');
      expect(styleOf(chat.field('Pontoon')).appearance).to.equal('auto');
    });

    it('a pressed thumb contrasts with its background', async () => {
      await asked(hello);
      chat.button('Good answer').click();
      await until(() => chat.button('Good answer').ariaPressed === 'true');
      await until(
        () =>
          colours(chat.button('Good answer')).join() ===
          [system('Highlight'), system('HighlightText')].join(),
      );
    });
  });

  it('a welcome page that is too long starts with the greeting, also after a conversation', async () => {
    await asked([{ response_type: 'text', id: '1', text: sixtyLines }]);
    await until(() => chat.buttons('New below').length === 1);
    chat.button('New below').click();
    await until(async () => (await visibleRatio(paragraph('Line 60'))) > 0);
    chat.host.starters = Array.from({ length: 12 }, (_, index) => ({ title: `Question ${index + 1}` }));
    await chat.host.newThread();
    await until(() => chat.buttons('Question 12').length === 1);
    expect(await visibleRatio(chat.button('Question 12'))).to.equal(0);
    expect(await visibleRatio(chat.find('agent-chat-welcome h3'))).to.equal(1);
    chat.say('Go on');
    await chat.answered(1);
    expect(await visibleRatio(chat.find('agent-chat-visitor-message'))).to.equal(1);
  });

  it('the starters of an expanded panel are whole while there is room for them below the composer', async () => {
    chat = ChatFixture.begin({
      storage: 'none',
      heading: 'Harbour Help',
      welcome: 'Ask us anything about berths, tides and invoices.',
    });
    chat.host.starters = [
      { title: 'When is high water?', description: 'Tides of today and tomorrow' },
      { title: 'A very long starter that nobody should write, but somebody did, because it was possible' },
      { title: 'Book a berth' },
    ];
    await chat.open();
    chat.button('Expand').click();
    await until(() => chat.button('Book a berth').getBoundingClientRect().width > 150);
    await chat.still();
    const { scrollHeight, clientHeight } = chat.find('agent-chat-transcript .scroller');
    expect(scrollHeight).to.equal(clientHeight);
  });

  const failing = (): void => {
    service.reply = () =>
      freshTurn(['Well']).map((event) =>
        event.event === 'run.completed'
          ? { ...event, event: 'run.failed', data: { ...event.data, error: { message: 'Closed books.' } } }
          : event,
      );
  };
  async function failed(): Promise<HTMLElement> {
    chat = ChatFixture.begin({ storage: 'none', preview: '' }); // details are for developers
    failing();
    await chat.open();
    chat.say('Go');
    await chat.shows('agent-chat-notice summary');
    await chat.still();
    return chat.find('agent-chat-notice summary');
  }

  it('a notice’s button scales with the text', async () => {
    await failed();
    chat.host.style.setProperty('--agent-chat-size', '30px');
    expect(styleOf(chat.find('agent-chat-notice .button')).fontSize).to.equal('27px');
  });

  it('on touch screens the button for a failure’s details is large enough', async () => {
    await emulatePhone(360, 640);
    expect((await failed()).getBoundingClientRect().height).to.be.at.least(44);
  });

  it('disclosures have the rotating chevron of the steps instead of the browser’s triangle', async () => {
    const summary = await failed();
    expect(styleOf(summary).display).not.to.equal('list-item');
    const chevron = summary.querySelector('svg')!;
    expect(styleOf(chevron).transform).to.equal('none');
    summary.click();
    await until(() => styleOf(chevron).transform === 'matrix(0, 1, -1, 0, 0, 0)');
  });

  it('on touch screens the first action is aligned with the text of the answer', async () => {
    await emulatePhone(390, 720);
    await asked(hello);
    expect(Math.abs(box('agent-chat-turn-actions svg').x - box('.answer').x)).to.be.at.most(2);
  });

  it('in dark mode a long draft has a scrollbar in the theme’s colours, like the conversation', async () => {
    // Firefox on Linux would draw its own in white.
    await asked(hello, { theme: 'dark' });
    const colour = styleOf(chat.find('.scroller')).scrollbarColor;
    expect(colour).to.contain('rgb');
    chat.write('line\n'.repeat(20));
    await chat.host.updateComplete;
    expect(styleOf(chat.composer).scrollbarColor).to.equal(colour);
    await until(() => chat.composer.scrollHeight > chat.composer.clientHeight);
  });

  it('the header keeps its height when the connection is lost', async () => {
    await asked(hello);
    const before = box('agent-chat-header').height;
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    dispatchEvent(new Event('offline'));
    await until(() => chat.texts('agent-chat-header').join().includes('offline'));
    expect(box('agent-chat-header').height).to.be.closeTo(before, 0.05);
    Reflect.deleteProperty(navigator, 'onLine');
    dispatchEvent(new Event('online'));
  });

  it('lines of Korean text break between words', async () => {
    for (const [lang, wanted] of [
      ['ko', 'keep-all'],
      ['ko-KR', 'keep-all'],
      ['ja', 'normal'],
    ] as const) {
      const chat = ChatFixture.begin({ lang });
      await chat.open();
      await chat.shows('agent-chat-welcome h3');
      await until(() => chat.find('.panel').lang === lang);
      expect(styleOf(chat.find('agent-chat-welcome h3')).wordBreak, lang).to.equal(wanted);
      chat.remove();
    }
  });

  it('a header in the colour of the conversation has a line below it', async () => {
    await asked(hello, { theme: 'light', 'primary-color': '#fff' });
    const { borderBottomColor, borderBottomStyle, backgroundColor } = styleOf(chat.find('agent-chat-header'));
    expect(borderBottomStyle).to.equal('solid');
    expect(borderBottomColor).to.match(/^(rgb|color|ok)/);
    expect(borderBottomColor).not.to.equal(backgroundColor);
  });

  it('a low chat in place has the whole name in its one-line header, and cuts off only a long one', async () => {
    const cut = (name: HTMLElement): boolean => name.scrollWidth > name.clientWidth;
    for (const [heading, lang, isCut] of [
      ['Assistant', 'en', false],
      ['Hafen', 'ar', false],
      ['Harbour office of Grey Quay and all its pontoons', 'en', true],
    ] as const) {
      const chat = ChatFixture.begin({
        'form-type': 'custom',
        width: '400px',
        height: '220px',
        heading,
        lang,
      });
      await chat.shows('agent-chat-header .name');
      expect(cut(chat.find('agent-chat-header .name')), heading).to.equal(isCut);
      expect(cut(chat.find('agent-chat-header .mark')), heading).to.equal(false);
      chat.remove();
    }
  });

  it('a low chat in place leaves lines of the conversation visible above the composer', async () => {
    await asked(hello, { 'form-type': 'custom', width: '300px', height: '180px' });
    chat.host.header = { disclaimer: 'Answers can be wrong.' };
    await chat.shows('[part~=disclaimer]');
    chat.composer.focus();
    await until(async () => (await visibleRatio(chat.composer)) === 1);
    const [panel, log, footer] = [box('.panel'), box('[role=log]'), box('[part=footer]')];
    expect(panel.height).to.equal(180);
    expect(footer.bottom).to.be.at.most(panel.bottom);
    expect(footer.y - Math.max(log.y, panel.y)).to.be.above(60);
    // the header draws in, and stays
    const header = box('agent-chat-header');
    expect(header.y).to.be.at.least(panel.y);
    expect(header.height).to.be.at.most(40);
    expect(layoutFaults()).to.deep.equal([]);
  });

  it('Send and the avatar’s letter scale with the text', async () => {
    await asked(hello, { style: '--agent-chat-size: 30px', heading: 'Harbour' });
    const frame = box('[part=composer]');
    const send = box('agent-chat-composer .main');
    expect(Math.abs(send.y - frame.y - (frame.bottom - send.bottom))).to.be.at.most(1);
    expect(styleOf(chat.find('.avatar')).fontSize).to.match(/^2[78]/);
  });

  it('a placeholder that is too long ends with an ellipsis', async () => {
    await asked(hello);
    chat.composer.blur(); // under the caret some engines show it without
    expect(getComputedStyle(chat.composer, '::placeholder').textOverflow).to.equal('ellipsis');
  });

  it('a prompt with an empty answer has a notice and no empty row', async () => {
    await asked(hello);
    service.reply = () => freshItems([]);
    chat.say('And?');
    await until(() => chat.turns.length === 2 && chat.host.connection === 'idle');
    await until(() => chat.texts('agent-chat-turn .end').at(-1)?.includes('No answer came.'));
    expect(chat.all('agent-chat-turn .end').at(-1)?.querySelectorAll('button')).to.have.length(0);
  });

  it('many attachments leave the composer in place and the conversation visible', async () => {
    await asked(hello);
    chat.host.uploadDocument = () => Promise.resolve(crypto.randomUUID());
    await chat.shows('agent-chat-composer input[type=file]');
    const input = chat.find<HTMLInputElement>('agent-chat-composer input[type=file]');
    const chosen = new DataTransfer();
    for (let index = 0; index < 40; index += 1)
      chosen.items.add(new File(['x'], `Photo of the pontoon ${index}.jpeg`, { type: 'image/jpeg' }));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await chat.shows('[part~=attachment]', 40);
    await until(async () => (await visibleRatio(chat.composer)) === 1);
    expect(box('[role=log]').height).to.be.above(200);
  });

  it('text in the launcher-icon slot is centred', async () => {
    await asked(hello, {}, '<b slot="launcher-icon">?</b>');
    await chat.host.hide();
    const letters = chat.host.querySelector('b')!;
    const ink = textBox(letters);
    const place = letters.assignedSlot!.parentElement!.getBoundingClientRect();
    expect(Math.abs(ink.x + ink.width / 2 - place.x - place.width / 2)).to.be.at.most(1);
    expect(Math.abs(ink.y + ink.height / 2 - place.y - place.height / 2)).to.be.at.most(1);
  });
});
