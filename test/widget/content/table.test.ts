import { expect } from '@open-wc/testing';
import { deep, deepAll, settled, show, button, waitFor } from './item-fixture.ts';

describe('<agent-chat-table>', () => {
  it('sorts numbers by value and text by language', async () => {
    const rows = [
      ['b', '€ 1,054.00'],
      ['a10', '€ 71.00'],
      ['a9', '€ 86.50'],
    ].map((cells) => ({ cells }));
    const harness = await show([{ response_type: 'table', headers: ['Name', 'Price'], rows }]);
    const column = (index: number): readonly (string | undefined)[] =>
      deepAll(harness, 'tbody tr').map((row) => row.children[index]?.textContent?.trim());
    button(harness, 'Price').click();
    await settled(harness);
    expect(column(1)).to.deep.equal(['€ 71.00', '€ 86.50', '€ 1,054.00']);
    expect(deep(harness, 'th[aria-sort]').getAttribute('aria-sort')).to.equal('ascending');
    button(harness, 'Name').click();
    await settled(harness);
    expect(column(0)).to.deep.equal(['a9', 'a10', 'b']);
    button(harness, 'Name').click();
    await settled(harness);
    expect(column(0)).to.deep.equal(['b', 'a10', 'a9']);
  });

  it('keeps text apart from the figures before it', async () => {
    const rows = [{ cells: ['Monday', 4.2, '12:24 o’clock'] }];
    const harness = await show([{ response_type: 'table', headers: ['Day', 'Height', 'Low water'], rows }]);
    const [, figures, words] = deepAll(harness, 'td span').map((span) => span.getBoundingClientRect());
    expect((words?.left ?? 0) - (figures?.right ?? 0)).to.be.at.least(28);
  });

  it('fits a sidebar with four columns of short words, and fades where it is wider', async () => {
    const headers = ['Day', 'High water', 'Height', 'Low water'];
    const rows = [{ cells: ['Wednesday', '07:45', 4.5, '13:57'] }];
    const harness = await show([{ response_type: 'table', headers, rows }]);
    harness.style.inlineSize = '398px';
    const scroller = deep(harness, '.scroller');
    expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
    expect(getComputedStyle(scroller).maskImage).to.equal('none');
    harness.style.inlineSize = '280px';
    await waitFor(() => getComputedStyle(scroller).maskImage.includes('to left'));
    harness.dir = 'rtl';
    await waitFor(() => getComputedStyle(scroller).maskImage.includes('to right'));
  });

  it('reads a table whose rows are keyed by column', async () => {
    const rows = [
      { price: 71, berth: 'a10' },
      { price: 86, berth: 'a9' },
    ];
    const harness = await show([{ response_type: 'table', headers: ['berth', 'price'], rows }]);
    expect(deepAll(harness, 'td').map((cell) => cell.textContent?.trim())).to.deep.equal([
      'a10',
      '71',
      'a9',
      '86',
    ]);
  });
});
