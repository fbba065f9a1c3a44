import { aTimeout, expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';
import '../../../src/widget/markdown/markdown-element.ts';
import { emulateMedia } from '../emulation.ts';

const veils = (element: MarkdownElement): HTMLElement[] =>
  [...element.renderRoot.querySelectorAll<HTMLElement>('*')].filter(
    (one) => getComputedStyle(one, '::after').backgroundImage !== 'none',
  );

/** The texts under a veil that is not yet on its way out. */
const veiled = (element: MarkdownElement): (string | null)[] =>
  veils(element)
    .filter((one) => getComputedStyle(one, '::after').opacity === '1')
    .map(({ textContent }) => textContent);

async function grow(element: MarkdownElement, text: string): Promise<void> {
  element.text = text;
  await element.updateComplete;
  await aTimeout(0);
}

async function show({ streaming = true, style = '', dir = 'ltr', text = '' } = {}): Promise<MarkdownElement> {
  const frame = await fixture<HTMLElement>(
    html`<div dir=${dir} style="--_surface: rgb(255, 255, 255); inline-size: 200px"></div>`,
  );
  const bubble = document.createElement('div');
  bubble.style.cssText = style;
  const element = document.createElement('agent-chat-markdown');
  element.streaming = streaming;
  element.text = text;
  bubble.append(element);
  frame.append(bubble);
  await element.updateComplete;
  return element;
}

describe('new words of an answer', () => {
  afterEach(() => emulateMedia({}));

  it('come in from under a veil, which goes when nothing follows, and leaves no trace', async () => {
    const element = await show();
    await grow(element, 'High water');
    expect(veiled(element)).to.deep.equal(['High water']);
    await grow(element, 'High water is at noon.\n\nThen it falls');
    expect(veiled(element)).to.include('Then it falls');
    const before = element.shadowRoot?.innerHTML;
    await waitUntil(() => veils(element).length === 0, 'the veil stays', { timeout: 3000 });
    expect(before).to.contain('data-fresh');
    expect(element.shadowRoot?.innerHTML).to.equal(
      '<div class="body"><p dir="auto">High water is at noon.</p><p dir="auto">Then it falls</p></div>',
    );
  });

  it('of a finished block leave half of their veil with the draw of the next, and all with the one after', async () => {
    const element = await show();
    const [first, second] = [0, 1].map(
      (at) => () => element.renderRoot.querySelectorAll<HTMLElement>('p')[at]!,
    ) as [() => HTMLElement, () => HTMLElement];
    const width = (): number => parseFloat(first().style.getPropertyValue('--_fresh'));
    await grow(element, 'High water is');
    const whole = width();
    await grow(element, 'High water is.\n\nThen it');
    expect(width()).to.equal(Math.ceil(whole / 2));
    expect(first().getAnimations({ subtree: true })).to.deep.equal([]);
    await grow(element, 'High water is.\n\nThen it falls');
    expect(veils(element)).to.deep.equal([second()]);
  });

  it('come at once where they are the first', async () => {
    const element = await show({ text: 'High' });
    expect(veils(element)).to.deep.equal([]);
    await grow(element, 'High water');
    expect(veiled(element)).to.deep.equal(['High water']);
    expect(veils(element)[0]?.style.getPropertyValue('--_fresh')).to.equal('3em');
  });

  it('go on from under it after the answer has ended', async () => {
    const element = await show();
    await grow(element, 'High water is at noon');
    element.streaming = false;
    await element.updateComplete;
    expect(veiled(element)).to.deep.equal(['High water is at noon']);
    await waitUntil(() => veils(element).length === 0, 'the veil stays', { timeout: 3000 });
  });

  it('take no room: lines break as without a veil', async () => {
    const text =
      'High water is at noon, and the harbour office is open from eight to six, on Sundays from nine.';
    const [streamed, whole] = [await show(), await show({ streaming: false })];
    await grow(whole, text);
    for (const length of [12, 40, 80, text.length]) {
      await grow(streamed, text.slice(0, length));
      expect(veiled(streamed)).to.have.length(1);
    }
    const lines = ({ renderRoot }: MarkdownElement): number[] => {
      const range = document.createRange();
      range.selectNodeContents(renderRoot.querySelector('p')!);
      return [...range.getClientRects()].map(({ width }) => width);
    };
    expect(lines(streamed)).to.deep.equal(lines(whole));
    expect(streamed.offsetHeight).to.equal(whole.offsetHeight);
  });

  it('take no line where an item goes on with code or a list', async () => {
    const whole = await show({ streaming: false });
    const text = '- Moor\n  - bow\n- Go';
    await grow(whole, text);
    for (const isLast of [false, true]) {
      const streamed = await show();
      await grow(streamed, '- Moor');
      expect(veiled(streamed)).to.deep.equal(['Moor']);
      streamed.streaming = !isLast;
      await grow(streamed, text);
      expect(streamed.offsetHeight).to.equal(whole.offsetHeight);
    }
  });

  it('keep a selection and the nodes of the text', async () => {
    const element = await show();
    await grow(element, 'High water is');
    const text = element.renderRoot.querySelector('p')?.firstChild;
    getSelection()?.setBaseAndExtent(text!, 0, text!, 4);
    await grow(element, 'High water is at noon');
    expect(veiled(element)).to.have.length(1);
    expect([...(element.renderRoot.querySelector('p')?.childNodes ?? [])]).to.deep.equal([text]);
    expect(String(getSelection())).to.equal('High');
  });

  it('are under a veil in the colour of the bubble, and under none where the ground is a picture', async () => {
    const groundOf = (element: MarkdownElement): string =>
      getComputedStyle(veils(element)[0]!, '::after').backgroundImage;
    const plain = await show();
    await grow(plain, 'High water');
    expect(groundOf(plain)).to.contain('rgb(255, 255, 255)');
    const bubble = await show({ style: 'background: rgb(1, 2, 3)' });
    await grow(bubble, 'High water');
    expect(groundOf(bubble)).to.contain('rgb(1, 2, 3)');
    const picture = await show({ style: 'background: linear-gradient(red, blue)' });
    await grow(picture, 'High water');
    expect(groundOf(picture)).not.to.contain('rgb(');
  });

  it('are faint at their end, on the left in right-to-left text', async () => {
    const element = await show({ dir: 'rtl' });
    await grow(element, 'المد العالي');
    expect(getComputedStyle(veils(element)[0]!, '::after').backgroundImage).to.contain('-90deg');
  });

  it('come at once in code, tables, lines against the direction of their list, and much text', async () => {
    for (const text of [
      '```\nlet a',
      '| a | b |\n|---|---|\n| c |',
      '- Moor\n- المد العالي',
      'High '.repeat(50),
    ]) {
      const element = await show();
      await grow(element, text);
      expect(veils(element), text).to.deep.equal([]);
    }
  });

  it('come at once with reduced motion, in forced colours, and in an answer that is whole', async () => {
    const whole = await show({ streaming: false });
    await grow(whole, 'High water');
    expect(veils(whole)).to.deep.equal([]);
    for (const [feature, value] of [
      ['prefers-reduced-motion', 'reduce'],
      ['forced-colors', 'active'],
    ]) {
      await emulateMedia({ [feature!]: value! });
      const element = await show();
      await grow(element, 'High water');
      expect(veils(element), feature).to.deep.equal([]);
    }
  });
});
