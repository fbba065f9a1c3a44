import { test } from '@playwright/test';
import { inEachEngine } from './in-each-engine.ts';
import { keyboardRun } from './keyboard-run.ts';

inEachEngine((bench) => {
  test('the whole product works by keyboard, and focus goes where one expects it', async () => {
    const { page, open } = bench();
    await open('demo');
    await keyboardRun(page);
  });
});
