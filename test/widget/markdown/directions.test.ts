import { expect } from '@open-wc/testing';
import { ChatFixture, freshTurn, RunService, until } from '../chat-fixture.ts';

const arabic = {
  plain: '- افتح الصمام\n- Node.js بيئة\n\n1. واحد\n2. اثنان',
  loose: '- عنصر\n\n  فقرة\n\n- آخر\n  1. داخل',
  tasks: '- [ ] افتح الصمام\n- [x] Hello there',
  quote: '> اقتباس\n>\n> - عنصر',
  table: '| اسم | عدد |\n|---|---|\n| قارب | 2 |',
};
const english = {
  plain: '- Open the valve\n- قارب one\n\n1. One\n2. Two',
  loose: '- An item\n\n  Its paragraph\n\n- Another\n  1. within',
  tasks: '- [ ] Open the valve\n- [x] قارب',
  quote: '> A quote\n>\n> - An item',
  table: '| Name | Count |\n|---|---|\n| Boat | 2 |',
};

describe('text in the other direction', () => {
  let service: RunService;
  let chat: ChatFixture;
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  /** Edges of the first text in an element. */
  const wordsOf = (node: Node): DOMRect => {
    const range = document.createRange();
    range.selectNodeContents(document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode()!);
    return range.getBoundingClientRect();
  };

  for (const [lang, texts, start] of [
    ['en', arabic, 'right'],
    ['ar', english, 'left'],
  ] as const) {
    it(`is on its own side, with markers beside it, in ${lang}`, async () => {
      service = new RunService(() => freshTurn([Object.values(texts).join('\n\n***\n\n')]));
      chat = ChatFixture.begin({ lang });
      await chat.open();
      chat.say('Go');
      await chat.answered(1);
      await chat.still();
      const body = chat.find('agent-chat-markdown .body');
      const whole = body.getBoundingClientRect();
      /** How far something lies from the side where it should begin, in pixels. */
      const off = (box: DOMRect): number =>
        start === 'right' ? whole.right - box.right : box.left - whole.left;
      const faults: string[] = [];
      const items = body.querySelectorAll('li, th, blockquote > p');
      expect(items.length).to.be.above(10);
      for (const item of items) {
        const name = item.textContent;
        if (getComputedStyle(item).direction !== (start === 'right' ? 'rtl' : 'ltr'))
          faults.push(`${name}: the other direction`);
        const isLaterCell = item.localName === 'th' && item.previousElementSibling;
        if (!isLaterCell && off(wordsOf(item)) > 80) faults.push(`${name}: far from its mark`);
        if (item.localName === 'li' && off(wordsOf(item)) < 15) faults.push(`${name}: no room for its mark`);
        const box = item.querySelector(':scope > input')?.getBoundingClientRect();
        const words = wordsOf(item);
        if (box && box.right > words.left && box.left < words.right) faults.push(`${name}: under its box`);
        if (box && Math.abs(box.top + box.bottom - words.top - words.bottom) > 6)
          faults.push(`${name}: not in line with its box`);
      }
      const quote = getComputedStyle(body.querySelector('blockquote')!);
      if (parseFloat(start === 'right' ? quote.borderRightWidth : quote.borderLeftWidth) === 0)
        faults.push('the quote is marked on the wrong side');
      expect(faults).to.deep.equal([]);
    });
  }

  for (const [lang, heading] of [
    ['ar', 'Harbour'],
    ['en', 'مكتب الميناء'],
  ] as const) {
    it(`as a heading, name and status start at the avatar, in ${lang}`, async () => {
      service = new RunService();
      chat = ChatFixture.begin({ lang, heading });
      await chat.open();
      chat.say('hello'); // the welcome page has the avatar to itself
      await chat.shows('agent-chat-header:not([plain])');
      await chat.shows('agent-chat-header .avatar');
      await until(() => chat.texts('[part=header-name]').join() === heading);
      await chat.still();
      const avatar = chat.find('agent-chat-header .avatar').getBoundingClientRect();
      const isRight = getComputedStyle(chat.find('agent-chat-header')).direction === 'rtl';
      const gaps = chat.all('agent-chat-header .name, agent-chat-header .status').map((line) => {
        const words = document.createRange();
        words.selectNodeContents(line);
        const { left, right } = words.getBoundingClientRect();
        return Math.round(isRight ? avatar.left - right : left - avatar.right);
      });
      expect(gaps).to.deep.equal([10, 10]);
    });
  }

  it('a paragraph or item that begins with code has the direction of its words', async () => {
    service = new RunService(() => freshTurn(['`npm start` يشغّل الخدمة\n\n- `PORT` رقم المنفذ']));
    chat = ChatFixture.begin({ lang: 'ar' });
    await chat.open();
    chat.say('سؤال');
    await chat.answered(1);
    expect(getComputedStyle(chat.find('.answer p')).direction).to.equal('rtl');
    const item = chat.find('.answer li');
    const code = chat.find('.answer li code').getBoundingClientRect();
    expect(item.getBoundingClientRect().right - code.right).to.be.lessThan(12);
  });
});
