import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';
import { loadCodeBlock } from '../../../src/widget/markdown/code/lazy-code-block.ts';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';

async function show(
  text: string,
  streaming = false,
): Promise<{ element: MarkdownElement; root: ShadowRoot }> {
  const element = await fixture<MarkdownElement>(
    html`<agent-chat-markdown .text=${text} .streaming=${streaming}></agent-chat-markdown>`,
  );
  await element.updateComplete;
  if (!element.shadowRoot) throw new TypeError('the element renders into a shadow root');
  return { element, root: element.shadowRoot };
}

function textsOf(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text); // shows text only
  return texts;
}

describe('<agent-chat-markdown>', () => {
  before(() => loadCodeBlock(document.body));

  it('renders headings, lists, tables and code as such', async () => {
    const { root } = await show(
      '# Berths\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nlet a;\n```\n',
    );
    expect(root.querySelector('h1')?.textContent).to.equal('Berths');
    expect([...root.querySelectorAll('li')].map((item) => item.textContent)).to.deep.equal(['one', 'two']);
    expect(root.querySelectorAll('td')[1]?.align).to.equal('right');
    expect(root.querySelector('pre')?.textContent).to.equal('let a;\n');
    expect(root.querySelector('.code-head span')?.textContent).to.equal('JavaScript');
  });

  it('hides the last mark of a list that was stopped before its words, and no other', async () => {
    const { root } = await show('1. one\n2.\n\n---\n\n-\n\n---\n\n- a\n-\n- c');
    const shown = [...root.querySelectorAll('li')].map((item) => item.checkVisibility());
    expect(shown).to.deep.equal([true, false, true, true, true, true]);
  });

  it('opens safe links in a new tab, and no others', async () => {
    const { root } = await show(
      '[a](https://a.example) [b](javascript:alert) <tel:+3112> [c](data:text/html,x)',
    );
    const links = [...root.querySelectorAll('a')];
    expect(links.map(({ href }) => href)).to.deep.equal(['https://a.example/', 'tel:+3112']);
    for (const link of links) {
      expect(link.target).to.equal('_blank');
      expect(link.rel).to.equal('noopener noreferrer');
    }
  });

  it('shows the real host beside a label that looks like another address', async () => {
    const { root } = await show(
      '[https://bank.example](https://evil.example/x) [Node.js](https://nodejs.org)',
    );
    expect(root.querySelector('p')?.textContent).to.equal('https://bank.example (evil.example) Node.js');
  });

  it('shows an image’s description until the image module has loaded, then the button that loads it', async () => {
    const { element, root } = await show('See ![the quay](https://elsewhere.example/a.png "Title").');
    expect(root.querySelector('p')?.textContent).to.equal('See the quay.');
    await waitUntil(() => root.querySelector('button.image-placeholder'));
    expect(root.querySelector('button')?.textContent).to.contain('the quay').and.contain('elsewhere.example');
    element.text = '![one more](https://elsewhere.example/b.png)';
    await element.updateComplete;
    expect(root.querySelector('button')?.textContent).to.contain('one more');
  });

  it('loads images when their origin is allowed later, and keeps loaded ones', async () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
    const { element, root } = await show(`![a](${pixel}) ![b](https://elsewhere.example/b.png)`);
    await waitUntil(() => root.querySelectorAll('button.image-placeholder').length === 2);
    const [first, second] = root.querySelectorAll('button');
    first?.focus();
    element.policy = { baseUrl: '', images: ['data:'] };
    await element.updateComplete;
    expect(root.querySelector('img')?.src).to.equal(pixel);
    expect(root.activeElement).to.equal(root.querySelector('img'));
    expect(root.querySelector('button')).to.equal(second);
    element.policy = { baseUrl: '', images: [] };
    await element.updateComplete;
    expect([root.querySelectorAll('img').length, root.querySelector('button')]).to.deep.equal([1, second]);
  });

  it('loads an image inside a link without following the link, whose host its button does not name', async () => {
    const { root } = await show('[![the quay](data:image/png;base64,AAAA)](https://elsewhere.example/)');
    const clicks: boolean[] = [];
    root.addEventListener('click', (event) => clicks.push(event.defaultPrevented));
    await waitUntil(() => root.querySelector('a button.image-placeholder'));
    root.querySelector<HTMLButtonElement>('a button.image-placeholder')?.click();
    expect(clicks).to.deep.equal([true]);
  });

  it('offers an image that fails to load again, with its description, and keeps focus', async () => {
    const { root } = await show('![the quay](data:image/png;base64,AAAA)');
    const button = (): HTMLButtonElement | null => root.querySelector('button.image-placeholder');
    await waitUntil(button);
    expect(button()?.textContent).to.contain('the quay');
    button()?.focus();
    button()?.click();
    expect(root.activeElement).to.equal(root.querySelector('img'));
    await waitUntil(button);
    expect(root.activeElement).to.equal(button());
  });

  it('sets the direction of a paragraph after filling it', async () => {
    const { element, root } = await show('');
    const records: MutationRecord[] = [];
    const changes = new MutationObserver((seen) => records.push(...seen));
    changes.observe(root, { subtree: true, childList: true, attributeFilter: ['dir'] });
    element.text = '[a](https://a.example) '.repeat(50);
    await element.updateComplete;
    records.push(...changes.takeRecords());
    expect(root.querySelector('p')?.dir).to.equal('auto');
    const told = records.findIndex(({ type }) => type === 'attributes');
    expect(told).to.be.greaterThan(49);
    expect(records.slice(told).some(({ addedNodes }) => addedNodes.length > 0)).to.equal(false);
  });

  it('renders skipped text, also after a move in the page', async () => {
    const start = '> one of the berths\n'.repeat(2000);
    const { element, root } = await show(start, true);
    element.text = `${start}> and the end`;
    await element.updateComplete;
    expect(root.textContent).not.to.contain('and the end');
    const place = document.body.appendChild(document.createElement('div'));
    place.append(element);
    await waitUntil(() => root.textContent.includes('and the end'), 'the end of the text');
    place.remove();
  });

  it('shows a row of a growing table once it is whole, and the header with the first one', async () => {
    const { element, root } = await show('', true);
    const shown = async (text: string, streaming = true): Promise<string[]> => {
      Object.assign(element, { text, streaming });
      await element.updateComplete;
      const rows = [...root.querySelectorAll('tr')];
      return rows.filter((row) => row.checkVisibility()).map((row) => String(row.textContent));
    };
    const head = '| Berth | Price |\n|---|---|\n';
    expect(await shown(head)).to.deep.equal([]);
    expect(await shown(`${head}| one | 1`)).to.deep.equal([]);
    expect(await shown(`${head}| one | 12 |\n| tw`)).to.deep.equal(['BerthPrice', 'one12']);
    expect(await shown(`${head}| one | 12 |\n| two | 3`)).to.deep.equal(['BerthPrice', 'one12']);
    expect(await shown(`${head}| one | 12 |\n| two | 3`, false)).to.deep.equal([
      'BerthPrice',
      'one12',
      'two3',
    ]);
    expect(await shown(head, false)).to.deep.equal(['BerthPrice']);
  });

  describe('whose words the browser translates while they come', () => {
    const source =
      'Berths at *Grey Quay* lie on pontoon C, and **boats over 18 m** at the wall.\n\n- Fuel on Monday\n- Water at every pontoon\n\n' +
      '| Day | High water |\n|---|---|\n| Monday | at noon |\n| Tuesday | a little later |\n\nThe tide has the last word.';
    const translators = {
      'by other text in the same nodes': (text: Text) => {
        text.data = `<${text.data}>`;
      },
      'by elements in their place': (text: Text) => {
        const font = document.createElement('font');
        font.textContent = text.data;
        text.replaceWith(font);
      },
    };
    for (const [way, translate] of Object.entries(translators)) {
      it(`shows the rest of an answer completely: ${way}`, async () => {
        const { element, root } = await show('', true);
        for (let length = 1; length <= source.length; length += 7) {
          element.text = source.slice(0, length);
          await element.updateComplete;
          if (length % 3 === 0) for (const text of textsOf(root)) if (text.data.trim()) translate(text);
        }
        element.text = source;
        element.streaming = false;
        await element.updateComplete;
        const whole = await show(source);
        const words = (of: ShadowRoot): string[] =>
          [...of.querySelectorAll('p, li, td, th')].map(({ textContent }) =>
            textContent.replaceAll(/[<>]/g, ''),
          );
        expect(words(root)).to.deep.equal(words(whole.root));
        // nothing is half translated
        for (const { data } of textsOf(root)) expect(data).to.match(/^<*[^<>]*>*$/);
      });
    }
  });

  it('does not break code, short names or longer numbers in a table', async () => {
    const { element, root } = await show('');
    element.style.inlineSize = '300px';
    const words = 'many words that need all the room there is and some more '.repeat(2);
    const rows = Array.from({ length: 120 }, (_, index) => `| ${index + 1} | ${words} |`);
    element.text =
      `| K | M |\n|---|---|\n| \`configuration.value\` | ${words} |\n\n` +
      `| 項目 | 内容 |\n|---|---|\n| 営業時間 | ${'土曜日・日曜日・祝日'.repeat(5)} |\n\n` +
      `| # | Note |\n|--:|---|\n${rows.join('\n')}\n`;
    await element.updateComplete;
    const linesOf = (cell: Element): number => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 12))).size;
    };
    const first = [...root.querySelectorAll('td:first-child')];
    expect(first.length).to.equal(122);
    expect(root.querySelectorAll('code')[0]?.getClientRects().length).to.equal(1);
    for (const cell of first.slice(1)) expect(linesOf(cell), cell.textContent ?? '').to.equal(1);
    const table = [...root.querySelectorAll('.table')].at(-1);
    expect(table?.scrollWidth).to.equal(table?.clientWidth);
  });

  it('gives the last of many columns room for more than a word a line', async () => {
    const row = ['Team', '€ 29', '25', '250 GB', '8 hours', 'Most teams choose this one'];
    const { root } = await show(
      `| ${row.map(() => 'Name').join(' | ')} |\n${'|---'.repeat(6)}|\n| ${row.join(' | ')} |\n`,
    );
    (root.host as HTMLElement).style.inlineSize = '280px';
    expect(root.querySelector('td:last-child')?.clientWidth).to.be.at.least(120);
  });

  it('frames inline code without a shadow, which Firefox draws beyond the end of a broken line', async () => {
    const { root } = await show('`code`');
    (root.host as HTMLElement).style.setProperty('--_line', 'gray');
    const { borderStyle, boxShadow } = getComputedStyle(root.querySelector('code')!);
    expect([borderStyle, boxShadow]).to.deep.equal(['solid', 'none']);
  });

  it('keeps the header’s words apart where a table just fits a sidebar', async () => {
    const { element, root } = await show(
      '| Hour | Part of the range | At four metres |\n|---|:-:|--:|\n| 1 | 2 | 3 |\n',
    );
    const sidebar = document.body.appendChild(document.createElement('div'));
    sidebar.style.cssText = 'container: turn / inline-size; inline-size: 240px; font: 15px sans-serif';
    sidebar.append(element);
    await element.updateComplete;
    const words = [...root.querySelectorAll('th')].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect();
    });
    const gaps = words.slice(1).map(({ left }, index) => left - (words[index]?.right ?? 0));
    for (const gap of gaps) expect(gap).to.be.at.least(7.9);
    sidebar.remove();
  });
});
