import { expect, test } from '@playwright/test';
import { textFragmentUrl } from '../../../../src/widget/content/search/text-fragment.ts';

const page = new URL('https://harbour.example/berths');

test('a short passage is named whole, with what the syntax reserves escaped', () => {
  expect(textFragmentUrl(page, 'C-14, near & dry')).toBe(
    'https://harbour.example/berths#:~:text=C%2D14%2C%20near%20%26%20dry',
  );
});

test('a long passage is named by its first and last words', () => {
  expect(
    textFragmentUrl(page, 'one two three four five six seven eight nine ten eleven twelve thirteen'),
  ).toBe(
    'https://harbour.example/berths#:~:text=one%20two%20three%20four%20five%20six,eight%20nine%20ten%20eleven%20twelve%20thirteen',
  );
});

test('a passage that was cut ends with a whole word', () => {
  expect(textFragmentUrl(page, 'The bar can be cros…')).toBe(
    'https://harbour.example/berths#:~:text=The%20bar%20can%20be',
  );
});

test('the page’s own fragment stays', () => {
  expect(textFragmentUrl(new URL('#tides', page), 'High water')).toBe(
    'https://harbour.example/berths#tides:~:text=High%20water',
  );
  expect(textFragmentUrl(new URL('#:~:text=Low', page), 'High water')).toBe(
    'https://harbour.example/berths#:~:text=Low',
  );
  for (const passage of ['', ' ', '…']) expect(textFragmentUrl(page, passage)).toBe(page.href);
  expect(textFragmentUrl(new URL('mailto:a@harbour.example'), 'High water')).toBe('mailto:a@harbour.example');
});
