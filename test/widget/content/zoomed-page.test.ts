import { expect, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { deep, deepAll, settled, show, type ItemHarness } from './item-fixture.ts';

const field = (schema: object, ui: object = {}): Record<string, unknown> => ({
  response_type: 'form',
  json_schema: { type: 'object', properties: { field: { title: 'Field', ...schema } } },
  ui_schema: { field: ui },
});
const countries = ['Denmark', 'Germany', 'Norway', 'Sweden', 'Switzerland'];

for (const zoom of ['0.7', '1.3'])
  describe(`on a page with zoom: ${zoom}`, () => {
    beforeEach(() => Object.assign(document.body.style, { zoom, width: '320px' }));
    afterEach(() => Object.assign(document.body.style, { zoom: '', width: '' }));

    /** Checks that a popover is right above or below an element, and within the window. */
    async function expectBeside(harness: ItemHarness, popover: Element, element: Element): Promise<void> {
      await settled(harness);
      await waitUntil(() => popover.matches(':popover-open') && popover.getBoundingClientRect().height > 20);
      const [box, anchor] = [popover.getBoundingClientRect(), element.getBoundingClientRect()];
      const distance = box.top >= anchor.bottom ? box.top - anchor.bottom : anchor.top - box.bottom;
      expect(distance, 'distance').to.be.within(0, 12);
      expect(box.left, 'start').to.be.within(0, anchor.left + 1);
      expect(box.right, 'end').to.be.at.most(innerWidth);
    }

    it('the list of a field has its place and its width', async () => {
      const harness = await show([field({ type: 'string', enum: countries }, { 'ui:widget': 'combobox' })]);
      await waitUntil(() => customElements.get('agent-chat-combobox'));
      await settled(harness);
      const input = deep<HTMLInputElement>(harness, 'input');
      input.focus();
      await sendKeys({ type: 'e' });
      const list = deep(harness, '[role=listbox]');
      const box = input.parentElement!;
      await expectBeside(harness, list, box);
      expect(list.getBoundingClientRect().width).to.be.closeTo(box.getBoundingClientRect().width, 3);
    });

    it('the calendar of a field has its place', async () => {
      const harness = await show([field({ type: 'string', format: 'date' })]);
      await waitUntil(() => customElements.get('agent-chat-calendar'));
      await settled(harness);
      deep<HTMLElement>(deep(harness, 'agent-chat-calendar'), 'button').click();
      await expectBeside(harness, deep(harness, '.calendar'), deep(harness, 'input[type=date]'));
    });

    it('the preview of a source has its place', async () => {
      const citations = [
        {
          title: 'Plan',
          text: 'C 14 is free.',
          url: 'https://harbour.example/p',
          ranges: [{ start: 0, end: 9 }],
        },
      ];
      const harness = await show([{ response_type: 'conversational_search', text: 'It is so.', citations }]);
      await sendKeys({ press: 'Tab' });
      await expectBeside(harness, deep(harness, '.preview'), deep(harness, 'button[part=citation-mark]'));
    });

    it('a carousel goes to the start of the card after the next', async () => {
      const cards = [1, 2, 3, 4, 5].map((number) => ({
        response_type: 'card',
        body: [{ response_type: 'text', text: `Berth ${number}` }],
      }));
      const harness = await show([{ response_type: 'carousel', items: cards }]);
      await settled(harness);
      const slides = deep(harness, '.slides');
      const start = (element: Element): number => element.getBoundingClientRect().left;
      for (const card of [slides.children[1]!, slides.children[2]!]) {
        deepAll<HTMLElement>(harness, 'button').at(-1)?.click();
        await waitUntil(() => Math.abs(start(card) - start(slides)) < 8, 'not at its start');
        await settled(harness);
      }
    });
  });
