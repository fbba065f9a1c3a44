import { expect, test } from '@playwright/test';
import { pretendUpload } from '../../../demo/playground/pretend-upload.ts';

test('the playground refuses large files and says why', async () => {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const upload = (size: number): unknown => pretendUpload(new File([new Uint8Array(size)], 'a.pdf'), options);
  expect(await upload(10_000_001)).toEqual({ refused: 'At most 10 MB, please.' });
  expect(await upload(1)).toMatch(/^[0-9a-f-]{36}$/);
});
