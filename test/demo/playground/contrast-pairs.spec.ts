import { expect, test } from '@playwright/test';
import { pairs } from '../../../demo/playground/contrast-pairs.ts';
import { contrastPairs } from '../../../src/widget/theme/contrast-pairs.ts';

test('the playground shows exactly the widget’s contrast pairs', () => {
  const key = (pair: { front: string; back: string; kind: string }) =>
    `${pair.kind} ${pair.front.replace('--_', '')} on ${pair.back.replace('--_', '')}`;
  expect(pairs.map(key).sort()).toEqual(contrastPairs.map(key).sort());
});
