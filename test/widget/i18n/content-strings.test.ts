import { expect, waitUntil } from '@open-wc/testing';
import { createStrings, type Strings } from '../../../src/widget/i18n/strings.ts';
import { ar } from '../../../src/widget/i18n/locales/ar.ts';
import { ar as contentAr } from '../../../src/widget/i18n/locales/content/ar.ts';
import { de } from '../../../src/widget/i18n/locales/de.ts';
import { de as contentDe } from '../../../src/widget/i18n/locales/content/de.ts';
import { en as contentEn } from '../../../src/widget/i18n/locales/content/en.ts';
import { contextOf, deepAll, show, type ItemHarness } from '../content/item-fixture.ts';

const form = {
  response_type: 'forms',
  id: 'f',
  name: 'Berth',
  json_schema: { type: 'object', properties: { nights: { type: 'integer' } }, required: ['nights'] },
};
const submitOf = (harness: ItemHarness): string[] =>
  deepAll(harness, 'button.main').map(({ textContent }) => textContent.trim());
const german = (): Strings => createStrings('de-AT', de);

describe('strings of content items', () => {
  it('are in the language of the panel when an item is first drawn', async () => {
    const harness = await shown(german());
    expect(submitOf(harness)).to.deep.equal([contentDe['form.submit']]);
  });

  it('change with the language; the old ones stay until the new ones are there', async () => {
    const harness = await shown(german());
    const seen = new Set<string>();
    const look = (): void => submitOf(harness).forEach((text) => seen.add(text));
    const observer = new MutationObserver(look);
    for (const { parentNode } of deepAll(harness, 'button.main'))
      observer.observe(parentNode ?? harness, { childList: true, characterData: true, subtree: true });
    harness.context = contextOf({ words: createStrings('ar', ar) });
    while (!submitOf(harness).includes(contentAr['form.submit'])) {
      look();
      await new Promise(requestAnimationFrame);
    }
    look();
    observer.disconnect();
    expect([...seen]).to.deep.equal([contentDe['form.submit'], contentAr['form.submit']]);
  });

  it('are those of the page where it has replaced them, and English in a language without a table', async () => {
    const words = createStrings('de', de, { 'form.submit': 'Fertig' });
    expect(submitOf(await shown(words))).to.deep.equal(['Fertig']);
    expect(submitOf(await shown(createStrings('sv', {})))).to.deep.equal([contentEn['form.submit']]);
  });
});

/** The form, once the strings of its language are there. */
async function shown(words: Strings): Promise<ItemHarness> {
  const harness = await show([form], { words });
  await waitUntil(() => submitOf(harness).length > 0, 'the form is drawn', { timeout: 8_000 });
  return harness;
}
