import { expect, test } from '@playwright/test';
import { appendDelta, readItems } from '../../src/conversation/items.ts';

const buttons = (count: number, named: boolean): object[] =>
  Array.from({ length: count }, (_, index) => ({
    response_type: 'button',
    label: `Berth ${index}`,
    ...(named ? { id: `berth-${index}` } : {}),
  }));

for (const named of [false, true]) {
  test(`a delta with many new items ${named ? 'with' : 'without'} ids looks at each present item once`, () => {
    let reads = 0;
    const present = readItems(buttons(500, false)).map((item) =>
      Object.defineProperty({ ...item }, 'id', {
        get: () => {
          reads += 1;
          return item.id;
        },
      }),
    );
    const items = appendDelta(present, buttons(500, named));
    expect(reads).toBeLessThanOrEqual(present.length);
    expect(new Set(items.map(({ id }) => id)).size).toBe(1000);
  });
}

test('new items without ids get free ones, and a delta that changes nothing gives the same items', () => {
  const items = readItems([{ id: 'item-1', response_type: 'text', text: 'Hello' }]);
  const more = appendDelta(items, buttons(2, false));
  expect(more.map(({ id }) => id)).toEqual(['item-1', 'item-1-2', 'item-2']);
  expect(appendDelta(more, [{ response_type: 'text', text: '' }])).toBe(more);
});
