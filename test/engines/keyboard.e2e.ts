import { test } from '@playwright/test';
import { inEachEngine } from './in-each-engine.ts';
import { keyboardRun } from './keyboard-run.ts';

inEachEngine((bench) => {
  test('the whole product works by keyboard, with focus in the expected places', async () => {
    const { page, open } = bench();
    await open('demo');
    await keyboardRun(page);
  });
});
