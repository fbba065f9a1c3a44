import { expect, fixture, html, nextFrame, waitUntil } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';
import '../../../src/widget/markdown/markdown-element.ts';

/** The words that fade in now, newest first. */
const fading = (): string[] =>
  [...CSS.highlights.entries()]
    .filter(([name]) => name.startsWith('agent-chat-fade-'))
    .flatMap(([, highlight]) => [...highlight])
    .map(({ startContainer, startOffset, endOffset }) =>
      (startContainer.textContent ?? '').slice(startOffset, endOffset),
    );

async function grow(element: MarkdownElement, text: string): Promise<void> {
  element.text = text;
  await element.updateComplete;
}

/** An element whose code for fading has loaded. */
async function show(streaming: boolean): Promise<MarkdownElement> {
  const element = await fixture<MarkdownElement>(
    html`<agent-chat-markdown .streaming=${streaming}></agent-chat-markdown>`,
  );
  await import('../../../src/widget/markdown/fading-tail.ts');
  await nextFrame(); // the element has it, too
  return element;
}

describe('words of a growing answer', () => {
  beforeEach(() => waitUntil(() => fading().length === 0));
  afterEach(() => emulateMedia({ reducedMotion: 'no-preference' }));

  it('fade in as they come, and only they', async () => {
    const element = await show(true);
    await grow(element, 'High water');
    expect(fading()).to.deep.equal(['High water']);
    await grow(element, 'High water is at noon');
    expect(fading()).to.include(' is at noon');
    await waitUntil(() => fading().length === 0);
    await grow(element, 'High water is at noon.\n\nThen it falls');
    expect(fading()).to.deep.equal(['Then it falls']);
  });

  it('stay as they are in a text so long that painting it costs', async () => {
    const element = await show(true);
    await grow(element, 'High water '.repeat(400));
    await grow(element, `${'High water '.repeat(400)}is at noon`);
    expect(fading()).to.deep.equal([]);
  });

  it('stay what they are for a selection and for the tree', async () => {
    const element = await show(true);
    await grow(element, 'High water is');
    const text = element.shadowRoot?.querySelector('p')?.firstChild;
    getSelection()?.setBaseAndExtent(text!, 0, text!, 4);
    await grow(element, 'High water is at noon');
    expect(element.shadowRoot?.querySelector('p')?.childNodes.length).to.equal(1);
    expect(element.shadowRoot?.querySelector('p')?.firstChild).to.equal(text);
    expect(String(getSelection())).to.equal('High');
  });

  it('do not fade with reduced motion, nor in an answer that is whole', async () => {
    await grow(await show(false), 'High water is at noon');
    await emulateMedia({ reducedMotion: 'reduce' });
    await grow(await show(true), 'High water is at noon');
    expect(fading()).to.deep.equal([]);
  });
});
