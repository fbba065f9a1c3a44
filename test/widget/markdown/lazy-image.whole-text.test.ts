import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';

// the code for images loads once per page: this is the first image of it
it('the description of an image is as high as the button that takes its place', async () => {
  const frame = await fixture(html`<div style="width: 360px; font: 15px/1.55 sans-serif"></div>`);
  const element = document.createElement('agent-chat-markdown');
  element.text = '![Chart](https://charts.example/bay.png)';
  frame.append(element);
  await element.updateComplete;
  expect(element.shadowRoot?.textContent).to.equal('Chart', 'the code is not loaded');
  const { height } = element.getBoundingClientRect();
  await waitUntil(
    () => element.shadowRoot?.querySelector('.image-placeholder'),
    'the image waits for a click',
  );
  expect(element.getBoundingClientRect().height).to.be.closeTo(height, 3);
});
