import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createStrings } from '../../../src/widget/i18n/create-strings.ts';
import { de } from '../../../src/widget/i18n/locales/de.ts';
import '../../../src/widget/markdown/markdown-element.ts';

// the code for images loads once per page: this is the first image of it
it('the first image of a growing answer never stands there as its description, which has another size', async () => {
  const frame = await fixture(html`<div></div>`);
  const element = document.createElement('agent-chat-markdown');
  element.streaming = true;
  frame.append(element);
  await element.updateComplete;
  const text = 'The bay:\n\n![Chart](https://charts.example/bay.png)\n\nMind the rocks.';
  const seen: string[] = [];
  const look = (): void =>
    void seen.push(element.shadowRoot?.querySelector('p:nth-of-type(2)')?.innerHTML ?? '');
  for (let length = 1; length <= text.length; length++) {
    element.text = text.slice(0, length);
    await element.updateComplete;
    look();
  }
  const button = (): Element | null | undefined => element.shadowRoot?.querySelector('.image-placeholder');
  await waitUntil(() => {
    look();
    return button();
  }, 'the image waits for a click');
  const withDescription = seen.filter((shown) => shown.includes('Chart') && !shown.includes('button'));
  expect(withDescription).to.deep.equal([]);
  await waitUntil(() => element.shadowRoot?.textContent?.includes('rocks'));
});

it('the button of a picture inside the message names no host', async () => {
  const element = document.createElement('agent-chat-markdown');
  element.text = '![Chart](data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=)';
  element.words = createStrings('de', de);
  await fixture(html`<div>${element}</div>`);
  const label = (): string =>
    element.shadowRoot?.querySelector('.image-placeholder small')?.textContent ?? '';
  await waitUntil(() => label() !== '');
  expect(label()).to.equal('Bild anzeigen');
});
