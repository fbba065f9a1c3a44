import { expect, test } from '@playwright/test';
import { isAllowed, safeLinkUrl, safeMediaUrl } from '../../../src/widget/platform/url-policy.ts';

test('follows safe URLs only, loads from allowed origins only', () => {
  const refused = [
    'javascript:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'blob:https://a',
    'file:///etc',
    '//a',
    'x',
    '',
    null,
    7,
    {},
  ];
  expect(refused.filter((url) => safeLinkUrl(url, ''))).toEqual([]);
  expect(safeLinkUrl('/a', 'https://b.example/c')?.href).toBe('https://b.example/a');
  expect(safeLinkUrl('tel:+31', '')?.protocol).toBe('tel:');
  expect(safeMediaUrl('data:image/svg+xml,<svg/>')).toBeUndefined();
  expect(safeMediaUrl('data:audio/wav;base64,UklGRg==')?.protocol).toBe('data:');
  expect(isAllowed('https://cdn.example/x', ['https://cdn.example/y'], '')).toBe(true);
  expect(isAllowed('https://cdn.example.evil/x', ['https://cdn.example'], 'https://b.example')).toBe(false);
  expect(isAllowed('/x', [], 'https://b.example')).toBe(true);
});
