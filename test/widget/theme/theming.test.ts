import { expect } from '@open-wc/testing';
import { partDescriptions } from '../../../src/widget/theme/part-descriptions.ts';
import { ChatFixture, fresh, RunService, until } from '../chat-fixture.ts';
import { emulateMedia, endEmulation } from '../emulation.ts';
import { formItem, itemTurn } from '../../tools/rich-answer.ts';

/** An answer with Markdown (link, code, table, image), a citation and a form. */
const answer = [
  {
    response_type: 'text',
    id: '1',
    text:
      'A [link](https://harbour.example/tides), `words` and\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n' +
      '![A boat](https://elsewhere.example/boat.png)',
  },
  {
    response_type: 'conversational_search',
    id: 'search',
    text: 'High water is at noon.',
    citations: [
      { title: 'Tides', text: 'Noon.', url: 'https://harbour.example/t', ranges: [{ start: 0, end: 22 }] },
    ],
  },
  formItem({ title: 'A berth', properties: { boat: { type: 'string', title: 'Boat' } } }),
];

describe('a page’s own style sheet', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  const sheet = new CSSStyleSheet();
  beforeEach(() => {
    document.adoptedStyleSheets.push(sheet);
    service = new RunService(() => fresh(itemTurn(answer)));
  });
  afterEach(() => {
    chat.remove();
    service.stop();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  });

  async function open(css: string): Promise<void> {
    sheet.replaceSync(css);
    chat = ChatFixture.begin({ storage: 'none' });
    await chat.open();
    chat.say('hello');
    await chat.shows('agent-chat-form form');
    await chat.shows('agent-chat-citation-mark button');
  }

  it('::part selects content of an answer, in Markdown and in items', async () => {
    const names = Object.keys(partDescriptions);
    await open(names.map((name) => `agent-chat::part(${name}) { scroll-margin-top: 77px }`).join('\n'));
    const reached: string[] = [];
    const missed: string[] = [];
    for (const each of chat.all('*'))
      for (const name of each.part)
        (getComputedStyle(each).scrollMarginTop === '77px' ? reached : missed).push(name);
    expect(missed).to.deep.equal([]);
    expect(reached).to.include.members([
      ...['link', 'code', 'table', 'table-scroller', 'media-load', 'citation-mark', 'form-title'],
    ]);
  });

  it('changes the font only if the font token requests it', async () => {
    const typefaces: string[][] = [];
    for (const css of ['', 'agent-chat { --agent-chat-font: inherit, sans-serif }']) {
      await open(`body { font: italic 30px/3 fantasy } ${css}`);
      const places = ['.launcher', 'textarea', 'agent-chat-markdown p', 'agent-chat-citation-mark button'];
      typefaces.push(
        places.map((selector) => {
          const { fontFamily, fontSize, fontStyle } = getComputedStyle(chat.find(selector));
          return `${fontFamily.split(',')[0] ?? ''} ${fontSize} ${fontStyle}`;
        }),
      );
      if (!css) chat.remove();
    }
    const [ownFace = [], pageFace] = typefaces;
    expect(ownFace.map((place) => place.split(' ')[0])).to.deep.equal(Array(4).fill('system-ui'));
    expect(pageFace).to.deep.equal(ownFace.map((place) => place.replace('system-ui', 'fantasy')));
  });
});

describe('the colours of the visitor’s system', () => {
  afterEach(endEmulation);

  it('are followed by a chat that was away from the page when they changed', async () => {
    const chat = ChatFixture.begin({ storage: 'none' });
    await chat.open();
    const ground = (): string => getComputedStyle(chat.find('.panel')).backgroundColor;
    await until(() => ground() === 'rgb(255, 255, 255)');
    chat.remove();
    const changed = new Promise((resolve) =>
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', resolve, { once: true }),
    );
    await emulateMedia({ 'prefers-color-scheme': 'dark' });
    await changed;
    document.body.append(chat.host);
    await until(() => ground() === 'rgb(20, 23, 28)');
    chat.remove();
  });
});
