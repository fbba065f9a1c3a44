import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';
import { markdownToSpeech } from '../../../src/widget/announcements/speech-text.ts';
import { defaultStrings } from '../../../src/widget/i18n/strings.ts';

async function show(
  text: string,
  { streaming = false, width = 400 } = {},
): Promise<{ element: MarkdownElement; root: ShadowRoot }> {
  const frame = await fixture<HTMLElement>(html`<div></div>`);
  frame.style.inlineSize = `${width}px`;
  const element = document.createElement('agent-chat-markdown');
  Object.assign(element, { text, streaming });
  frame.append(element);
  await element.updateComplete;
  if (!element.shadowRoot) throw new TypeError('the element renders into a shadow root');
  return { element, root: element.shadowRoot };
}

const drawn = (root: ShadowRoot, count = 1): Promise<void> =>
  waitUntil(() => root.querySelectorAll('math').length === count, `${count} formulas are drawn`);

describe('formulas', () => {
  it('become MathML, inside a text and as a block', async () => {
    const { root } = await show('The area \\(\\pi r^2\\):\n\\[\nx = \\frac{a}{b}\n\\]\nIt costs $5 or $10.');
    await drawn(root, 2);
    const [area, fraction] = root.querySelectorAll('math');
    expect(area?.querySelector('msup mn')?.textContent).to.equal('2');
    expect(area?.closest('p')?.textContent).to.contain('The area').and.contain(':');
    expect(fraction?.parentElement?.localName).to.equal('div');
    expect(fraction?.getAttribute('display')).to.equal('block');
    expect(fraction?.querySelector('mfrac')?.textContent).to.equal('ab');
    expect(root.querySelector('p:last-of-type')?.textContent).to.equal('It costs $5 or $10.');
  });

  it('are their source while they arrive, and then change nothing before them', async () => {
    const { element, root } = await show('First.\n\nThen \\(x', { streaming: true });
    await drawn((await show('\\(a\\)')).root);
    element.text = 'First.\n\nThen \\(x_1 + ';
    await element.updateComplete;
    const first = root.querySelector('p');
    expect(root.querySelectorAll('p')[1]?.textContent).to.equal('Then \\(x_1 +');
    element.text = 'First.\n\nThen \\(x_1 + y\\) is\n\n$$\na = \\';
    await element.updateComplete;
    await drawn(root);
    const block = root.querySelector<HTMLElement>('.display');
    const { height } = block?.getBoundingClientRect() ?? { height: 0 };
    expect(block?.textContent).to.equal('$$\na = \\');
    element.text += 'frac{1}{2}\n$$\n';
    await element.updateComplete;
    await drawn(root, 2);
    expect(root.querySelector('.display')).to.equal(block);
    expect(block?.getBoundingClientRect().height).to.equal(height);
    expect(root.querySelector('p')).to.equal(first);
  });

  it('that are invalid or unsafe stay their source', async () => {
    const sources = [
      '\\frac{a',
      '\\href{javascript:alert(1)}{x}',
      '\\url{https://a.example}',
      '\\includegraphics{https://a.example/a.png}',
      '\\class{composer}{x}',
      '\\style{position:fixed}{x}',
      '\\id{x}{y}',
      '\\ref{a}',
      '\\unknown',
      '\\sqrt{'.repeat(200) + 'x' + '}'.repeat(200),
      '\\def\\a{\\a\\a}\\a',
    ];
    const { root } = await show(
      `\\(ok^2\\)\n\n${sources.map((tex) => `\\(${tex}\\)\n\n$$${tex}$$\n`).join('\n')}`,
    );
    await drawn(root);
    for (const tex of sources) {
      expect(root.querySelector('.body')?.textContent).to.contain(`\\(${tex}\\)`).and.contain(`$$${tex}$$`);
    }
    expect(root.querySelector('a, img, [style], [id], .composer')).to.equal(null);
  });

  it('have only known elements, and no colours', async () => {
    const { root } = await show(
      '$$\\textcolor{#111}{x} \\colorbox{black}{y} \\text{<img src=x onerror=alert(1)>}$$',
    );
    await drawn(root);
    const words = root.querySelector('math')?.textContent?.replaceAll('\u00a0', ' ');
    expect(words).to.contain('<img src=x onerror=alert(1)>');
    for (const element of root.querySelectorAll('math *')) {
      expect(element.namespaceURI).to.equal('http://www.w3.org/1998/Math/MathML');
      expect(element.getAttributeNames()).not.to.contain('mathcolor').and.not.to.contain('mathbackground');
      expect(getComputedStyle(element).color).to.equal(getComputedStyle(root.host).color);
    }
  });

  it('that are wider than the panel scroll inside themselves and can be reached with the keyboard', async () => {
    const sum = Array.from({ length: 30 }, (_, index) => `x_{${index}}`).join(' + ');
    const { root } = await show(`Text \\(${sum}\\) and\n\n$$${sum}$$\n\nand $$a$$`, { width: 280 });
    await drawn(root, 3);
    const wide = [...root.querySelectorAll<HTMLElement>('.formula')].slice(0, 2);
    await waitUntil(() => wide.every(({ tabIndex }) => tabIndex === 0));
    for (const element of wide) {
      expect(element.scrollWidth).to.be.greaterThan(element.clientWidth);
      expect(element.getBoundingClientRect().right).to.be.at.most(
        root.host.getBoundingClientRect().right + 0.5,
      );
      expect([element.role, element.ariaLabel]).to.deep.equal(['group', 'Formula']);
    }
    expect(root.host.scrollWidth).to.equal(root.host.clientWidth);
    expect([...root.querySelectorAll('.formula')].at(-1)?.hasAttribute('tabindex')).to.equal(false);
  });

  it('sit on the line of the words around them', async () => {
    const { root } = await show('Words \\(x\\) words');
    await drawn(root);
    const range = document.createRange();
    range.selectNodeContents(root.querySelector('p')?.firstChild ?? root);
    const words = range.getBoundingClientRect();
    const letter = root.querySelector('mi')?.getBoundingClientRect();
    // the letter x has no descender: its box ends at the baseline, above the end of the line's box
    expect(letter?.bottom).to.be.within(words.bottom - 8, words.bottom);
  });

  it('that are simple are said as a line of text, and others by the word, but never as their source', async () => {
    await drawn((await show('\\(a\\)')).root);
    const said = {
      '\\(E = mc^2\\)': 'E = mc²',
      '\\(x_1 + x_{12} \\le 3 \\times 10^{-4}\\text{ m}\\)': 'x₁ + x₁₂ ≤ 3 × 10⁻⁴ m',
      "\\(f'(x) = \\frac{1}{2}\\sqrt{x}\\)": 'f′(x) = 1/2 √x',
      '\\(\\sin \\alpha \\approx \\mathbf{v}\\)': 'sin α ≈ v',
      '\\(e^{i\\pi}\\)': 'Formula',
      '\\(\\frac{a+b}{c}\\)': 'Formula',
      '\\(\\begin{pmatrix}1 & 2\\end{pmatrix}\\)': 'Formula',
      '\\(\\unknown\\)': 'Formula',
      '$$\na = b\n$$': 'a = b',
    };
    for (const [source, words] of Object.entries(said))
      expect(markdownToSpeech(source, defaultStrings)).to.equal(words);
  });

  it('scroll in one direction only when they are wide', async () => {
    const sum =
      '\\int_0^\\infty e^{-x^2}\\,dx=\\frac{\\sqrt{\\pi}}{2}\\cdot\\sum_{n=0}^{\\infty}\\frac{(-1)^n}{(2n+1)\\,n!}';
    const { root } = await show(`$$${sum}$$`, { width: 200 });
    await drawn(root);
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = root.querySelector('.display')!;
    expect(scrollWidth).to.be.above(clientWidth);
    expect(scrollHeight).to.equal(clientHeight);
  });

  it('fade at the edge that hides more of them, as tables and code do; the focus ring is whole', async () => {
    const sum = Array.from({ length: 30 }, (_, index) => `x_{${index}}`).join(' + ');
    const cells = Array.from({ length: 9 }, () => 'incomprehensible');
    const table = `| ${cells.join(' | ')} |\n|${'---|'.repeat(9)}\n| ${cells.join(' | ')} |`;
    const code = `\`\`\`\n${'let wide; '.repeat(20)}\n\`\`\``;
    const { root } = await show(`$$${sum}$$\n\n${table}\n\n${code}\n\n$$a$$`, { width: 280 });
    await drawn(root, 2);
    await waitUntil(() => root.querySelector('pre[tabindex]'));
    const wide = [...root.querySelectorAll<HTMLElement>('.formula:first-of-type, .table, pre')];
    const edges = (element: Element): string => getComputedStyle(element).maskImage;
    expect(wide).to.have.length(3);
    for (const element of wide) {
      await waitUntil(() => edges(element).includes('to left'), element.className);
      element.scrollLeft = element.scrollWidth;
      await waitUntil(() =>
        /^linear-gradient\(to right, rgba\(0, 0, 0, 0\), rgb\(0, 0, 0\) 24px\)$/.test(edges(element)),
      );
      element.focus({ focusVisible: true });
      await waitUntil(() => edges(element) === 'none');
      element.blur();
    }
    const narrow = [...root.querySelectorAll('.formula')].at(-1);
    expect(narrow && edges(narrow)).to.equal('none');
  });
});
