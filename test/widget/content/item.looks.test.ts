import { expect } from '@open-wc/testing';
import { contentRows } from '../../../src/widget/content/registry.ts';
import { ChatFixture, freshItems, RunService, textBox, until } from '../chat-fixture.ts';
import { emulateMedia, emulatePhone, emulateWindow, endEmulation } from '../emulation.ts';

// How content items look in a chat, beyond the usual.
type Items = readonly Record<string, unknown>[];

const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung';

function search(text: string, ...citations: Record<string, unknown>[]): Record<string, unknown> {
  return { response_type: 'conversational_search', id: '1', text, citations };
}

function form(
  properties: Readonly<Record<string, unknown>>,
  ui_schema: unknown = {},
): Record<string, unknown> {
  return {
    response_type: 'form',
    id: '1',
    name: 'f',
    json_schema: { type: 'object', properties },
    ui_schema,
  };
}

describe('the looks of content items', function () {
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

  async function asked(items: Items, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    service.reply = () => freshItems(items);
    chat = ChatFixture.begin({ storage: 'none', ...attributes });
    await chat.open();
    chat.say('Go');
    // nothing competes with an open decision: no actions below it
    if (!items.some(({ sub_type }) => sub_type === 'tool_approval')) await chat.answered(1);
    await chat.items(items.filter(({ response_type }) => response_type !== 'text').length);
    await chat.still();
  }

  it('a source with a long name keeps its size; a long word in a table header stays in its column', async () => {
    const ranges = [{ start: 0, end: 3 }];
    await asked([
      search('All of it.', { title: longWord, text: 'Words', url: 'https://example.com/', ranges }),
      { response_type: 'table', id: '2', headers: [longWord, 'B'], rows: [{ cells: ['a', 1] }] },
    ]);
    const [card] = chat.all('[part~=source]').filter(({ textContent }) => textContent.includes(longWord));
    // a source that stands alone has at most 20em, whatever its name
    expect(card?.getBoundingClientRect().width).to.be.at.most(300);
    const sources = chat.find('[part=sources], .sources');
    expect(sources.scrollWidth).to.be.at.most(sources.clientWidth);
    const [first, second] = chat.all('agent-chat-table th span').map((span) => span.getBoundingClientRect());
    expect(first?.right).to.be.at.most(second?.left ?? 0);
  });

  it('right to left: a name and the line under it start at the same edge, in any language', async () => {
    const ranges = [{ start: 0, end: 3 }];
    const source = { title: 'Rules', text: 'Words', url: 'https://example.com/', ranges };
    await asked([search('All of it.', source)], { lang: 'ar' });
    chat.host.mentionables = [
      { id: '123e4567-e89b-12d3-a456-426614174001', name: 'Ada', description: 'Harbour office' },
    ];
    chat.composer.focus();
    chat.write('@');
    await chat.shows('[role=option]');
    const edges = (selector: string): number[] =>
      [...chat.find(selector).children].map((line) => Math.round(textBox(line).right));
    for (const selector of ['[part~=source]', '[role=option]']) {
      const [name, line] = edges(selector);
      expect(name, selector).to.equal(line);
    }
  });

  it('a citation marker stays on the line of the word before it', async () => {
    const text = 'Visitors lie on pontoon C. The office is open until 18:00, and late arrivals call it.';
    const ranges = [{ start: 0, end: text.length }];
    await asked([search(text, { title: 'Rules', text: 'Words', url: 'https://example.com/', ranges })]);
    const mark = chat.find('agent-chat-citation-mark');
    for (let width = 300; width <= 400; width += 4) {
      chat.host.width = `${width}px`;
      await until(() => chat.find('.panel').getBoundingClientRect().width === width);
      const word = new Range();
      const before = mark.previousSibling as Text; // the answer's words
      word.setStart(before, before.length - 1);
      word.setEnd(before, before.length);
      const button = mark.shadowRoot!.querySelector('button')!;
      const apart = button.getBoundingClientRect().top - word.getBoundingClientRect().bottom;
      expect(apart, `${width} px`).to.be.below(0);
    }
  });

  it('on touch screens a checkbox is centred in its row and the Add button is large enough', async () => {
    await emulatePhone(360, 640);
    await asked([
      form({
        tick: { type: 'boolean', title: 'Electricity' },
        list: { type: 'array', title: 'Guests', items: { type: 'string' } },
      }),
    ]);
    const tick = chat.field('Electricity');
    const row = tick.closest('label')!.getBoundingClientRect();
    const box = tick.getBoundingClientRect();
    expect(Math.abs(row.y + row.height / 2 - (box.y + box.height / 2))).to.be.at.most(1);
    expect(chat.button(/^Add/).getBoundingClientRect().height).to.be.at.least(44);
  });

  it('unchecked checkboxes and radio buttons have the background of fields', async () => {
    await emulateMedia({ 'prefers-color-scheme': 'dark' });
    await asked([
      form(
        {
          name: { type: 'string', title: 'Name' },
          tick: { type: 'boolean', title: 'Electricity' },
          one: { type: 'string', title: 'Pontoon', enum: ['A', 'B'] },
        },
        { one: { 'ui:widget': 'radio' } },
      ),
    ]);
    const styles = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
    const ground = styles(chat.field('Name')).backgroundColor;
    for (const tick of [chat.field('Electricity'), chat.field('A')]) {
      expect(styles(tick).appearance).to.equal('none');
      expect(styles(tick).backgroundColor).to.equal(ground);
      tick.click();
      await until(() => styles(tick).backgroundColor !== ground);
    }
  });

  it('right to left: title and labels of a form start at the same edge, in any language', async () => {
    const item = { ...form({ name: { type: 'string', title: 'Name' } }), title: 'Booking' };
    await asked([item], { lang: 'ar', heading: 'Harbour' });
    const right = (selector: string): number => Math.round(textBox(chat.find(selector)).right);
    expect(right('[part~=header-name]')).to.equal(right('[part~=header-status]'));
    expect(right('agent-chat-form .label')).to.equal(
      Math.round(chat.find('agent-chat-form input').getBoundingClientRect().right),
    );
  });

  it('right to left: titles, texts and answers of an item start at the edge of its buttons, in any language', async () => {
    const text = { response_type: 'text', text: 'Water and electricity' };
    const buttons = [{ response_type: 'button', button_type: 'post_back', label: 'Book', value: 'book' }];
    const operation = { form_operation: 'submit', form_data: { boat: 'Marigold' } };
    await asked(
      [
        {
          response_type: 'option',
          id: '1',
          title: 'Which?',
          options: [{ label: 'One', value: { input: { text: '1' } } }],
        },
        { response_type: 'card', id: '2', title: 'Berth', body: [text, ...buttons] },
        { response_type: 'form_operation', id: '3', ...operation },
        { response_type: 'text', id: '4', text: 'Words of an answer' },
      ],
      { lang: 'ar' },
    );
    const right = (selector: string): number => Math.round(textBox(chat.find(selector)).right);
    const edge = (selector: string): number => Math.round(chat.find(selector).getBoundingClientRect().right);
    expect(right('agent-chat-option .title')).to.equal(edge('agent-chat-option button'));
    expect(right('agent-chat-card .title')).to.equal(edge('agent-chat-button button'));
    expect(right('agent-chat-card agent-chat-markdown p')).to.equal(edge('agent-chat-button button'));
    expect(right('agent-chat-form-operation dd')).to.equal(right('agent-chat-form-operation dt'));
    // the text of an answer starts where its own language does
    const answer = chat.all('agent-chat-markdown p').find((one) => one.textContent === 'Words of an answer');
    expect(textBox(answer!).left).to.be.closeTo(answer!.getBoundingClientRect().left, 1);
  });

  it('icons and citation markers scale with the text', async () => {
    const text = 'All of it.';
    await asked([search(text, { title: 'Rules', text: 'Words', ranges: [{ start: 0, end: text.length }] })]);
    const heights = (): number[] =>
      [chat.find('agent-chat-citation-mark button'), chat.button('Good answer').querySelector('svg')!].map(
        (piece) => piece.getBoundingClientRect().height,
      );
    const [mark = 0, thumb = 0] = heights();
    chat.host.style.setProperty('--agent-chat-size', '20px');
    const [largerMark, largerThumb] = heights();
    expect(largerMark).to.be.closeTo((mark * 20) / 15, 0.05);
    expect(largerThumb).to.be.closeTo((thumb * 20) / 15, 0.05);
  });

  it('in forced colours a citation marker has a border, and keeps its size', async () => {
    const text = 'All of it.';
    await asked([search(text, { title: 'Rules', text: 'Words', ranges: [{ start: 0, end: text.length }] })]);
    const marker = chat.find('agent-chat-citation-mark button');
    const { height, width } = marker.getBoundingClientRect();
    await emulateMedia({ 'forced-colors': 'active' });
    expect(getComputedStyle(marker).borderTopStyle).to.equal('solid');
    expect(marker.getBoundingClientRect().height).to.equal(height);
    expect(marker.getBoundingClientRect().width).to.equal(width);
  });

  it('in forced colours nothing shines through below the buttons of a decision', async () => {
    const sailing = { response_type: 'forms', sub_type: 'tool_approval', id: '1', name: 'Book a berth' };
    const rows = Array.from({ length: 20 }, (_none, at) => [`row${at}`, 'x'] as const);
    await asked([{ ...sailing, form_data: Object.fromEntries(rows) }]);
    const choices = chat.find('agent-chat-decision .choices');
    const bottom = (): number => choices.getBoundingClientRect().bottom;
    // the view follows the card a frame after it is there
    let before = bottom();
    await until(async () => {
      const last = before;
      await new Promise(requestAnimationFrame);
      return (before = bottom()) === last;
    });
    await emulateMedia({ 'forced-colors': 'active' });
    const { backgroundColor, borderBlockEndStyle } = getComputedStyle(choices);
    expect(backgroundColor).not.to.match(/, 0\)$/);
    expect(borderBlockEndStyle).to.equal('solid');
    expect(bottom()).to.be.closeTo(before + 8, 4);
  });

  it('the cards of a carousel fade where there are more, with reduced motion, too', async () => {
    const card = { response_type: 'card', body: [{ response_type: 'text', text: 'A berth' }] };
    await emulateMedia({ 'prefers-reduced-motion': 'reduce' });
    await asked([{ response_type: 'carousel', id: '1', items: [card, card, card] }]);
    const slides = chat.find('agent-chat-carousel .slides');
    const fades = (): boolean[] => {
      const stops = getComputedStyle(slides).maskImage.match(/rgba?\([^)]*\)/g) ?? [];
      return [stops[0], stops.at(-1)].map((stop) => stop === 'rgba(0, 0, 0, 0)');
    };
    await until(() => fades().join() === 'false,true');
    slides.scrollLeft = slides.scrollWidth;
    await until(() => fades().join() === 'true,false');
  });

  it('in forced colours the open source differs from the others', async () => {
    await asked([search('All of it.', { title: 'Rules', text: 'Words' }, { title: 'Map', text: 'Words' })]);
    await emulateMedia({ 'forced-colors': 'active' });
    const [open, other] = chat.all('agent-chat-search-answer .source');
    open?.click();
    await chat.still();
    expect(getComputedStyle(open!).borderTopColor).not.to.equal(getComputedStyle(other!).borderTopColor);
  });

  it('a quiet button has the accent colour instead of a border', async () => {
    await asked([
      { response_type: 'button', id: '1', button_type: 'post_back', kind: 'tertiary', label: 'More' },
      { response_type: 'text', id: '2', text: 'See [the page](https://example.com/).' },
    ]);
    const { color, borderTopStyle, borderTopColor } = getComputedStyle(chat.button('More'));
    expect(color).to.equal(getComputedStyle(chat.find('agent-chat-markdown a')).color);
    expect(borderTopStyle === 'none' || /, 0\)$/.test(borderTopColor)).to.equal(true);
  });

  it('a price stays on one line in a table of many columns', async () => {
    await emulateWindow(360, 720);
    const row = (cell: string): string => `|${` ${cell} |`.repeat(12)}\n`;
    await asked([{ response_type: 'text', id: '1', text: row('A') + row('--:') + row('€ 1234.50') }]);
    const lines = chat.all('td').map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines).to.deep.equal(Array.from({ length: 12 }, () => 1));
  });

  it('sources with and without a URL are aligned at the top', async () => {
    const ranges = [{ start: 0, end: 3 }];
    const plan = { title: 'Plan', url: 'https://harbour.example/', ranges };
    await asked([search('Yes.', plan, { title: 'Map', ranges })]);
    const tops = chat.all('.source span').map((title) => title.getBoundingClientRect().top);
    expect(tops).to.have.length(2);
    expect(tops[0]).to.equal(tops[1]);
  });

  describe('while an item loads', () => {
    const original = contentRows.conversational_search;
    let release: () => void;
    let held = 0;
    beforeEach(() => {
      const released = new Promise<void>((resolve) => (release = resolve));
      held += 1;
      const load: typeof original.load = async () => {
        await released;
        const { SearchAnswerElement } = await import('../../../src/widget/content/search/search-answer.ts');
        return class extends SearchAnswerElement {};
      };
      Reflect.set(contentRows, 'conversational_search', { ...original, tag: `held-search-${held}`, load });
    });
    afterEach(() => Reflect.set(contentRows, 'conversational_search', original));

    async function begin(items: Items): Promise<void> {
      service.reply = () => freshItems(items);
      chat = ChatFixture.begin({ storage: 'none' });
      await chat.open();
      chat.say('Go');
    }

    it('the space reserved for it becomes visible only after a delay', async () => {
      await begin([search('More?')]);
      await chat.shows('agent-chat-item .room');
      const { animationDelay, animationFillMode } = getComputedStyle(chat.find('agent-chat-item .room'));
      expect([animationDelay, animationFillMode]).to.deep.equal(['0.2s', 'backwards']);
      release();
      await until(() => chat.lastAnswer.includes('More?'));
    });

    it('actions appear below an answer only once all of its items are loaded', async () => {
      // a part within a part, too
      await begin([{ response_type: 'card', id: 'c', body: [search('C 14')] }]);
      await chat.shows('agent-chat-card');
      await until(() => chat.host.connection === 'idle');
      await chat.shows('agent-chat-turn-actions');
      const copy = (): HTMLElement => chat.button('Copy');
      expect(copy().checkVisibility({ visibilityProperty: true })).to.equal(false);
      release();
      await until(() => copy().checkVisibility({ visibilityProperty: true }));
      expect(chat.lastAnswer).to.contain('C 14');
    });

    it('in a card, items below it wait for it', async () => {
      const text = { response_type: 'text', id: '3', text: 'Under the search' };
      await begin([
        { response_type: 'card', id: 'c', title: 'Over the search', body: [search('C 14'), text] },
      ]);
      const isSeen = (words: string): boolean =>
        chat
          .all('agent-chat-card *')
          .some(
            (element) =>
              element.children.length === 0 &&
              element.textContent.trim() === words &&
              element.checkVisibility({ visibilityProperty: true }),
          );
      await until(() => isSeen('Over the search'));
      await until(() => chat.lastAnswer.includes('Under the search'));
      expect(isSeen('Under the search')).to.equal(false);
      release();
      await until(() => isSeen('Under the search'));
    });
  });
});
