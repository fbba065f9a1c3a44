import { expect, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { deep, deepAll, settled, show, type ItemHarness } from './item-fixture.ts';

const text = 'It is free until Sunday.';
const sources = {
  response_type: 'conversational_search',
  text,
  citations: ['Rules of the harbour', 'Opening hours', 'Fees'].map((title) => ({ title })),
};
const cards = {
  response_type: 'carousel',
  items: ['C 14', 'C 22', 'D 3'].map((berth) => ({
    response_type: 'card',
    body: [{ response_type: 'text', text: `Berth ${berth}` }],
    footer: [
      {
        response_type: 'button',
        button_type: 'post_back',
        label: `Book ${berth}`,
        value: { input: { text: berth } },
      },
    ],
  })),
};

for (const dir of ['ltr', 'rtl'])
  describe(`a row that is wider than a narrow chat, ${dir}`, () => {
    beforeEach(() => Object.assign(document.body, { dir }).style.setProperty('width', '260px'));
    afterEach(() => Object.assign(document.body, { dir: '' }).style.removeProperty('width'));

    /** Goes through a row with Tab, and checks that each of its entries is whole when it has the focus. */
    async function expectWhole(harness: ItemHarness, rowSelector: string, stops: RegExp): Promise<void> {
      await settled(harness);
      const row = deep(harness, rowSelector);
      const [first, ...others] = deepAll(harness, 'button').filter(({ textContent }) =>
        stops.test(textContent ?? ''),
      );
      first?.focus();
      for (const stop of others) {
        await sendKeys({ press: 'Tab' });
        await waitUntil(() => stop.matches(':focus-visible'), 'no focus');
        const isWhole = (): boolean => {
          const [view, box] = [row.getBoundingClientRect(), stop.getBoundingClientRect()];
          return box.left >= view.left - 1 && box.right <= view.right + 1;
        };
        await waitUntil(isWhole, `${stop.textContent} is cut off`);
      }
      expect(others).to.have.length(2);
    }

    it('shows the whole source that has keyboard focus', async () => {
      await expectWhole(await show([sources]), '.sources', /\d · /);
    });

    it('shows the whole card whose button has keyboard focus', async () => {
      await expectWhole(await show([cards]), '.slides', /Book/);
    });
  });
