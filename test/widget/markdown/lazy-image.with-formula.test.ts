import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';

// the code for images and for formulas loads once per page: these are the first of it
it('a growing answer with an image and a formula waits for the code of both', async () => {
  const frame = await fixture(html`<div></div>`);
  const element = document.createElement('agent-chat-markdown');
  element.streaming = true;
  frame.append(element);
  await element.updateComplete;
  const shown = (): string => element.shadowRoot?.querySelector('.body')?.textContent ?? '';
  const seen: string[] = [];
  element.text = '![Chart](https://charts.example/bay.png) shows \\(\\sqrt{x}\\) of';
  await waitUntil(() => {
    seen.push(shown());
    return element.shadowRoot?.querySelector('math');
  }, 'the formula is drawn');
  expect(seen.filter((text) => text.includes('sqrt'))).to.deep.equal([]);
});
