import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';
import { loadCodeBlock } from '../../../src/widget/markdown/code/lazy-code-block.ts';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';
import { growingLengths } from '../../markdown/growing-lengths.ts';
import { seeded } from '../../tools/seeded.ts';
import { samples } from '../../markdown/samples.ts';

const answer = `${'A first paragraph that somebody reads and marks while the rest comes in.\n\n'}\`\`\`js
const berth = find();
\`\`\`

| a | b | a column that is so very wide that the table has to scroll sideways in its frame |
|---|---|---|
| ${'wide '.repeat(30)} | ${'wider '.repeat(30).trim()} | ${'x'.repeat(80)} |

${Array.from({ length: 400 }, (_, index) => `Paragraph ${index} of a **long** answer, with a [link](https://a.example/${index}).\n\n- one\n- two\n\n`).join('')}`.slice(
  0,
  32_000,
);

async function create(): Promise<{ element: MarkdownElement; body: Element }> {
  const frame = await fixture<HTMLElement>(html`<div style="inline-size: 320px"></div>`);
  const element = document.createElement('agent-chat-markdown');
  element.streaming = true;
  frame.append(element);
  await element.updateComplete;
  const body = element.shadowRoot?.querySelector('.body');
  if (!body) throw new TypeError('the element renders its text into a body');
  return { element, body };
}

async function grow(element: MarkdownElement, text: string, from: number, step: number): Promise<void> {
  for (let at = from; at < text.length; at += step) {
    element.text = text.slice(0, at);
    await element.updateComplete;
  }
  element.text = text;
  element.streaming = false;
  await element.updateComplete;
}

/** Removes what depends on how text arrived: chunks, column widths, frozen tables, new words, split text nodes. */
function plain(body: Element): Node {
  const copy = body.cloneNode(true) as Element; // a clone of an element is an element
  for (const element of copy.querySelectorAll('.frozen, .frozen *')) element.removeAttribute('role');
  for (const cell of copy.querySelectorAll('th')) cell.removeAttribute('width');
  for (const table of copy.querySelectorAll('.frozen')) {
    table.removeAttribute('class');
    table.closest('.table')?.removeAttribute('style');
  }
  for (const block of copy.querySelectorAll('[data-fresh], [style=""]')) {
    block.removeAttribute('data-fresh');
    block.removeAttribute('style');
  }
  // highlighting arrives with its module
  for (const lines of copy.querySelectorAll('.lines')) lines.textContent = String(lines.textContent);
  copy.normalize();
  return copy;
}

describe('Markdown that grows', () => {
  before(() => loadCodeBlock(document.body));

  it('has the same nodes as one parse of the whole text, however it is split', async () => {
    for (const [index, text] of samples.entries()) {
      const whole = await create();
      whole.element.text = text;
      whole.element.streaming = false;
      await whole.element.updateComplete;
      for (const longest of [3, 40]) {
        const { element, body } = await create();
        for (const length of growingLengths(text.length, longest, seeded(index).next)) {
          element.text = text.slice(0, length);
          await element.updateComplete;
        }
        element.streaming = false;
        await element.updateComplete;
        expect(plain(body).isEqualNode(plain(whole.body)), text.slice(0, 200)).to.equal(true);
        element.remove();
      }
      whole.element.remove();
    }
  }).timeout(60_000);

  it('keeps selection, focus and horizontal scroll while 32,000 characters arrive', async () => {
    const { element, body } = await create();
    const begin = answer.indexOf('Paragraph 2 ');
    await grow(element, answer.slice(0, begin), 100, 50);
    element.streaming = true;
    const paragraph = body.querySelector('p')?.firstChild;
    const button = body.querySelector<HTMLButtonElement>('.code-head button:last-of-type');
    const table = body.querySelector<HTMLElement>('.table');
    if (!(paragraph instanceof Text) || !button || !table) throw new TypeError('the answer begins otherwise');
    const range = new StaticRange({
      startContainer: paragraph,
      startOffset: 2,
      endContainer: paragraph,
      endOffset: 17,
    });
    getSelection()?.setBaseAndExtent(
      range.startContainer,
      range.startOffset,
      range.endContainer,
      range.endOffset,
    );
    button.focus();
    table.scrollLeft = 60;
    const before = [...body.children];
    element.text = answer.slice(0, begin);
    await element.updateComplete;
    await grow(element, answer, begin, 97);
    expect(element.shadowRoot?.activeElement).to.equal(button);
    expect(table.scrollLeft).to.equal(60);
    const root = element.shadowRoot;
    const kept = root && getSelection()?.getComposedRanges({ shadowRoots: [root] })[0];
    expect(kept?.startContainer).to.equal(paragraph);
    expect([kept?.startOffset, kept?.endOffset]).to.deep.equal([2, 17]);
    expect(body.children.length).to.be.greaterThan(before.length);
    expect(before.slice(0, 3).every((node, index) => body.children[index] === node)).to.equal(true);
  }).timeout(30_000);

  it('keeps every node when the final message has the same text', async () => {
    const { element, body } = await create();
    await grow(element, answer.slice(0, 6000), 10, 61);
    const nodes = [...body.querySelectorAll('*')];
    element.text = `${answer.slice(0, 5999)}${answer.slice(5999, 6000)}`;
    element.streaming = false;
    await element.updateComplete;
    expect([...body.querySelectorAll('*')].every((node, index) => node === nodes[index])).to.equal(true);
  });

  it('renders incomplete markup as if complete, and hides ambiguous delimiters', async () => {
    const stages: readonly (readonly [string, string])[] = [
      ['a **bold', 'a bold'],
      ['a **', 'a '],
      ['a `code', 'a code'],
      ['a [label](https://a.exa', 'a label'],
      ['a ![picture](https://a.exa', 'a '],
      ['text\n\n- ', 'text'],
      ['text\n=', 'text'],
      ['text\n\n| a | b', 'textab'],
      ['text\n\n| a | b |\n|--', 'textab'],
      ['text\n\n``', 'text'],
      ['see www.a.example/pa', 'see www.a.example/pa'],
      ['a ~~gone', 'a gone'],
      ['# Ti', 'Ti'],
      ['#', ''],
    ];
    for (const [text, shown] of stages) {
      const { element, body } = await create();
      element.text = text;
      await element.updateComplete;
      expect(body.textContent?.trimEnd(), text).to.equal(shown.trimEnd());
      expect(body.querySelector('a, img'), text).to.equal(null);
      element.remove();
    }
  });
});
