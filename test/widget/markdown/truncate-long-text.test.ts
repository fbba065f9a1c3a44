import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';
import { createStrings } from '../../../src/widget/i18n/create-strings.ts';
import { de } from '../../../src/widget/i18n/locales/de.ts';
import { loadCodeBlock } from '../../../src/widget/markdown/code/lazy-code-block.ts';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';

const list = (count: number): string =>
  Array.from({ length: count }, (_, index) => `- item ${index}\n`).join('');
const table = (rows: number, columns: number): string =>
  ['a', '-', ...Array.from({ length: rows }, () => 'b')]
    .map((cell) => `|${`${cell}|`.repeat(columns)}`)
    .join('\n');

async function create(text = '', streaming = false): Promise<{ element: MarkdownElement; root: ShadowRoot }> {
  const element = await fixture<MarkdownElement>(
    html`<agent-chat-markdown .text=${text} .streaming=${streaming}></agent-chat-markdown>`,
  );
  if (!element.shadowRoot) throw new TypeError('the element renders into a shadow root');
  return { element, root: element.shadowRoot };
}

function buttonIn(root: ShadowRoot): HTMLButtonElement | null | undefined {
  return root.querySelector('.body + div')?.shadowRoot?.querySelector('button');
}

const itemsIn = (root: ShadowRoot): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('li:not(.more)')];

describe('Markdown that is too long to render at once', () => {
  before(() => loadCodeBlock(document.body));

  it('renders the first items of a list, and all others on request', async () => {
    const { root } = await create(list(15_000));
    await waitUntil(() => buttonIn(root));
    const first = itemsIn(root);
    expect(first.length).to.be.greaterThan(5000).and.lessThan(8000);
    for (let known = first; buttonIn(root);) {
      const [count] = /\d+/.exec((buttonIn(root)?.textContent ?? '').replaceAll(',', '')) ?? [];
      buttonIn(root)?.click();
      const now = itemsIn(root);
      expect(now.length).to.equal(known.length + Number(count));
      expect(known.every((item, index) => item === now[index])).to.equal(true);
      known = now;
    }
    expect(itemsIn(root).map((item) => item.textContent)).to.deep.equal(
      Array.from({ length: 15_000 }, (_, index) => `item ${index}`),
    );
    expect(root.activeElement, 'focus continues from where the button was').to.equal(
      itemsIn(root)[2 * first.length - 1],
    );
  }).timeout(60_000);

  it('renders the first rows of a wide table, and blocks as far as they fit', async () => {
    const wide = await create(table(400, 300));
    await waitUntil(() => buttonIn(wide.root), undefined, { timeout: 20_000 });
    expect(wide.root.querySelectorAll('td').length).to.be.within(15_000, 21_000);
    const many = await create(`> ${list(9000).replaceAll('\n', '\n> ')}\n\nthe end`);
    await waitUntil(() => buttonIn(many.root), undefined, { timeout: 20_000 });
    expect(itemsIn(many.root).length).to.be.lessThan(8000);
    expect(many.root.textContent).not.to.contain('the end');
    const paragraphs = await create('ab\n\n'.repeat(30_000));
    await waitUntil(() => buttonIn(paragraphs.root), undefined, { timeout: 20_000 });
    expect(paragraphs.root.querySelectorAll('p').length).to.equal(20_000);
    expect(buttonIn(paragraphs.root)?.textContent).to.equal('Show 10,000 more');
  }).timeout(60_000);

  it('changes only the number while more arrives, and nothing when the final message is the same', async () => {
    const { element, root } = await create(list(8000), true);
    await waitUntil(() => buttonIn(root));
    const changes = new MutationObserver(() => undefined);
    changes.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const before = buttonIn(root)?.textContent;
    element.text = list(9000);
    await element.updateComplete;
    expect(buttonIn(root)?.textContent).not.to.equal(before);
    element.text = `${list(8999)}- item 8999\n`;
    element.streaming = false;
    await element.updateComplete;
    expect(changes.takeRecords().length).to.equal(0);
  }).timeout(60_000);

  it('keeps its nodes when a text grows past the limit, and shows all of a shorter one', async () => {
    const { element, root } = await create(list(1000), true);
    const early = itemsIn(root);
    element.text = list(8000);
    await waitUntil(() => buttonIn(root));
    expect(early.every((item, index) => item === itemsIn(root)[index])).to.equal(true);
    element.text = '- one\n- two\n';
    await element.updateComplete;
    expect(itemsIn(root).length).to.equal(2);
    expect(buttonIn(root)).to.equal(undefined);
  }).timeout(60_000);

  it('labels the button in the page’s language, and never cuts code', async () => {
    const { element, root } = await create(`\`\`\`\n${'a = 1;\n'.repeat(30_000)}\`\`\`\n\n${list(8000)}`);
    await waitUntil(() => buttonIn(root));
    expect(root.querySelector('code')?.textContent.length).to.equal(210_000);
    element.words = createStrings('de', de);
    await element.updateComplete;
    expect(buttonIn(root)?.textContent).to.contain('weitere anzeigen');
  }).timeout(60_000);
});
