import { expect } from '@open-wc/testing';
import { deepAll, settled, show } from './item-fixture.ts';

describe('more entries than are drawn at once', () => {
  it('shows nested cards in steps when there are many, few at once', async () => {
    const cards = (width: number, depth: number): unknown[] =>
      Array.from({ length: width }, () =>
        depth > 0
          ? { response_type: 'card', body: cards(width, depth - 1) }
          : { response_type: 'text', text: 'leaf' },
      );
    const small = await show([{ response_type: 'card', body: cards(5, 2) }]);
    await settled(small);
    expect(deepAll(small, 'agent-chat-markdown')).to.have.length(125);
    const flood = await show([{ response_type: 'card', body: cards(30, 2) }]);
    await settled(flood);
    const shown = deepAll(flood, 'agent-chat-item').length + deepAll(flood, 'agent-chat-markdown').length;
    expect(shown).to.be.greaterThan(100).and.lessThan(1100);
    const more = deepAll(flood, 'button').find((one) => one.textContent?.includes('more'));
    more?.click();
    await settled(flood);
    expect(deepAll(flood, 'agent-chat-markdown').length).to.be.greaterThan(0);
    expect(more?.isConnected).to.equal(false);
  });

  it('keeps every entry of long lists, wide tables and grids, choices and files', async () => {
    const items = (count: number, name: string): unknown[] =>
      Array.from({ length: count }, (_, index) => ({
        response_type: 'text',
        text: `${name} ${String(index)}.`,
      }));
    const asked = async (source: Readonly<Record<string, unknown>>): Promise<string> => {
      const harness = await show([source]);
      await settled(harness);
      for (let more; (more = deepAll(harness, 'button').find((one) => /more/.test(one.textContent ?? '')));) {
        more.click();
        await settled(harness);
      }
      return deepAll(harness, 'p, td, .name, [role=option]')
        .map((one) => one.textContent)
        .join(' ');
    };
    expect(await asked({ response_type: 'card', body: items(450, 'line') })).to.contain('line 449.');
    const cells = (count: number, name: string): string[] =>
      Array.from({ length: count }, (_, index) => `${name} ${String(index)}.`);
    const rows = Array.from({ length: 30 }, (_, row) => ({ cells: cells(60, String(row)) }));
    expect(await asked({ response_type: 'table', headers: cells(60, 'head'), rows })).to.contain('29 59.');
    const grid = Array.from({ length: 250 }, (_, row) => ({
      cells: cells(9, String(row)).map((text) => ({ items: [{ response_type: 'text', text }] })),
    }));
    expect(await asked({ response_type: 'grid', rows: grid.slice(0, 150) })).to.contain('149 8.');
    const files = cells(205, 'file').map((name) => ({ fileName: name, url: 'https://files.example/a' }));
    expect(await asked({ response_type: 'file_download', files })).to.contain('file 204.');
    const options = cells(300, 'choice').map((label) => ({ label, value: label }));
    expect(await asked({ response_type: 'option', options })).to.contain('choice 299.');
  });
});
