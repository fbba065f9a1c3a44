import { expect, test } from '@playwright/test';
import { mismatchedHost } from '../../../src/widget/markdown/deceptive-links.ts';
import { tries } from '../../tools/quick.ts';

const evil = 'https://evil.example/';

test('a label that looks like another address shows the real one', () => {
  for (const [label, address, real] of [
    ['https://bank.example', evil, 'evil.example'],
    ['//bank.example', evil, 'evil.example'],
    ['192.168.0.1', evil, 'evil.example'],
    ['http://localhost:3000/', evil, 'evil.example'],
    ['bank.example', 'https://bank.example.evil.example/', 'bank.example.evil.example'],
    // the part before the @ is not the host
    ['https://bank.example@evil.example/', 'https://bank.example@evil.example/', 'evil.example'],
    ['https://evil.example', 'https://bank.example@evil.example/', 'evil.example'],
    // one matching host does not hide another one
    ['evil.example, as on www.bank.example', evil, 'evil.example'],
    // other dots, other widths, and invisible characters
    ['bank。example', evil, 'evil.example'],
    ['bank．example', evil, 'evil.example'],
    ['bank․example', evil, 'evil.example'],
    ['ｂａｎｋ.example', evil, 'evil.example'],
    ['bank\u200b.ex\u00adample', evil, 'evil.example'],
    ['bank\u034f.example', evil, 'evil.example'],
    ['bank\ufe0f.ex\u{e0041}ample', evil, 'evil.example'],
    // displayed from right to left, this reads bank.example
    ['\u202eelpmaxe.knab', 'https://elpmaxe.knab/', 'elpmaxe.knab'],
    // Cyrillic letters among Latin ones, and a character that looks like a slash
    ['https://bаnk.example', 'https://bаnk.example/', 'xn--bnk-6cd.example'],
    ['https://аррӏе.com', 'https://аррӏе.com/', 'xn--80ak6aa92e.com'],
    [
      'https://bank.example⁄login.evil.example',
      'https://bank.example⁄login.evil.example/',
      new URL('https://bank.example⁄login.evil.example/').host,
    ],
    ['help@bank.example', 'mailto:help@bank.example.evil.example', 'help@bank.example.evil.example'],
    ['help@bank.example', 'mailto:help@bank.example,me@evil.example', 'help@bank.example,me@evil.example'],
    ['bank.example', 'mailto:me@evil.example', 'me@evil.example'],
    ['bank.example', 'tel:+31', '+31'],
    ['help@bank.example', 'mailto:me%E2%80%AE@evil.example', 'me%E2%80%AE@evil.example'],
  ] as const)
    expect(mismatchedHost(label, new URL(address)), label).toBe(real);
});

test('a label that names no address, or the real one, stands alone', () => {
  for (const [label, address] of [
    ['the docs', evil],
    ['README.md', evil],
    ['notes of v2.10', evil],
    ['👍🏽 go ❤️', evil],
    ['Bank.example', 'https://bank.example/'],
    ['www.bank.example.', 'https://bank.example/'],
    ['bank.example', 'https://login.bank.example/'],
    ['(see https://bank.example, please)', 'https://bank.example/x'],
    ['https://web.example/2020/https://other.example', 'https://web.example/2020/https://other.example'],
    ['http://[::1]:80/x', 'http://[::1]/x'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['https://münchen.example', 'https://münchen.example/'],
    ['https://пример.рф', 'https://пример.рф/'],
    ['Help@bank.example', 'mailto:help@bank.example'],
    ['bank.example', 'mailto:help@mail.bank.example'],
  ] as const)
    expect(mismatchedHost(label, new URL(address)), label).toBeUndefined();
});

test('a label with another telephone number shows the real one', () => {
  const real = '+31201234567';
  for (const label of ['+31 20 765 43 21', 'Call 0800-123456', '020 123 45 6'])
    expect(mismatchedHost(label, new URL(`tel:${real}`)), label).toBe(real);
  for (const label of ['+31 20 123 45 67', '020 1234567', '+31 (0)20 123-4567', 'Call us, 24/7', '112'])
    expect(mismatchedHost(label, new URL(`tel:${real};ext=5`)), label).toBeUndefined();
});

test('a label of any length is read in linear time', () => {
  // inputs of this length once took minutes; the test's timeout is the limit
  for (const piece of ['a.', 'a-', '1.', 'a@', 'https://', '%', 'a.b@'])
    for (const address of [evil, 'mailto:me@evil.example', 'tel:+31'])
      expect(() => mismatchedHost(`${piece.repeat(tries(400_000))}1`, new URL(address))).not.toThrow();
});
