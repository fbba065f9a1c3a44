import { expect, test } from '@playwright/test';
import { readAddress } from '../../../demo/playground/read-address.ts';

test('an address needs no scheme: https, or http on this machine and with a port', () => {
  const read = (text: string) => String(readAddress(text, 'http:'));
  expect(read(' www.example.com/shop ')).toBe('https://www.example.com/shop');
  expect(read('http://example.com')).toBe('http://example.com/');
  expect(read('localhost:3000/a')).toBe('http://localhost:3000/a');
  expect(read('127.0.0.1')).toBe('http://127.0.0.1/');
  expect(read('[::1]:80/a')).toBe('http://[::1]/a');
  expect(read('build.example:8443')).toBe('http://build.example:8443/');
});

test('what cannot be shown is said', () => {
  expect(readAddress('no address', 'http:')).toContain('“no address” is not an address');
  expect(readAddress('file:///etc/passwd', 'http:')).toContain('Only http and https');
  expect(readAddress('javascript://alert(1)', 'http:')).toContain('Only http and https');
  expect(readAddress('javascript:alert(1)', 'http:')).toContain('is not an address');
  expect(readAddress('http://example.com', 'https:')).toContain('Paste a screenshot');
  expect(String(readAddress('http://localhost:3000', 'https:'))).toBe('http://localhost:3000/');
});
