import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';
import { loadCodeView } from '../../../src/widget/markdown/code-content.ts';
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

describe('<agent-chat-markdown>', () => {
  before(() => loadCodeView(document.body));

  it('shows headings, lists, tables and code as what they are', async () => {
    const { root } = await show(
      '# Berths\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nlet a;\n```\n',
    );
    expect(root.querySelector('h1')?.textContent).to.equal('Berths');
    expect([...root.querySelectorAll('li')].map((item) => item.textContent)).to.deep.equal(['one', 'two']);
    expect(root.querySelectorAll('td')[1]?.align).to.equal('right');
    expect(root.querySelector('pre')?.textContent).to.equal('let a;\n');
    expect(root.querySelector('.code-head span')?.textContent).to.equal('JavaScript');
  });

  it('opens links in a new tab, only those that are safe to follow', async () => {
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
});
