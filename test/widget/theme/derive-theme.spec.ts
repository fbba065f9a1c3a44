import { expect, test } from '@playwright/test';
import { converter, formatRgb, parse, wcagContrast } from 'culori';
import { contrastPairs } from '../../../src/widget/theme/contrast-pairs.ts';
import { deriveTheme, type Scheme, type ThemeInput } from '../../../src/widget/theme/derive-theme.ts';
import { colourTokens } from '../../../src/widget/theme/tokens.ts';
import { sample } from '../../tools/quick.ts';

/** An independent library instead of the browser's canvas. */
const normalize = (value: string) => {
  const parsed = parse(value);
  return parsed && formatRgb(parsed);
};

const picks = [
  ...['#1f3a5f', '#dbe7f6', '#0b62d6', '#000', '#fff', '#808080', '#767676', '#777', '#757575', '#7f7f7f'],
  ...[
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#ffff00',
    '#ff00ff',
    '#00ffff',
    '#f0b429',
    '#e5484d',
    '#fffffe',
    '#010101',
  ],
  ...['teal', 'hotpink', 'rebeccapurple', 'hsl(31 90% 52%)', 'oklch(0.7 0.3 150)', 'lab(50 80 60)'],
  ...[
    'color(display-p3 0 1 0)',
    'hwb(200 20% 10%)',
    '#0b62d680',
    '#ffffff00',
    'rgb(255 0 0 / 0.08)',
    'rgb(10%, 90%, 40%)',
  ],
  ...[
    '',
    'transparent',
    'currentcolor',
    'purple-ish',
    '"><script>',
    'var(--x)',
    'rgb(1 2)',
    '#12345',
    'rgb(a b c)',
  ],
];
const schemes: readonly Scheme[] = ['light', 'dark'];

/** Evenly distributed pseudo-random numbers, the same in every run. */
function* spread(): Generator<number, never> {
  let state = 7;
  for (;;) {
    state = (state * 16807) % 2147483647;
    yield state / 2147483647;
  }
}

function triples(): ThemeInput[] {
  const numbers = spread();
  const pick = () => picks[Math.floor(numbers.next().value * picks.length)] ?? '';
  const any = () =>
    `#${Math.floor(numbers.next().value * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`;
  return schemes.flatMap((scheme) => [
    ...picks.map((one) => ({ primary: one, second: one, accent: one, scheme })),
    ...Array.from({ length: 400 }, () => ({ primary: pick(), second: pick(), accent: pick(), scheme })),
    ...Array.from({ length: 400 }, () => ({ primary: any(), second: any(), accent: any(), scheme })),
    ...Array.from({ length: 256 }, (_, at) => {
      const grey = `#${at.toString(16).padStart(2, '0').repeat(3)}`;
      return { primary: grey, second: grey, accent: grey, scheme };
    }),
  ]);
}

function faults(input: ThemeInput): string[] {
  const theme = deriveTheme({ ...input, normalize });
  return contrastPairs.flatMap(({ front, back, kind, where }) => {
    const ratio = wcagContrast(theme[front], theme[back]);
    if (ratio >= (kind === 'text' ? 4.5 : 3)) return [];
    return [
      `${JSON.stringify(input)} ${where}: ${front} ${theme[front]} on ${back} ${theme[back]} = ${ratio.toFixed(2)}`,
    ];
  });
}

test('every pair reaches 4.5:1 for text and 3:1 for parts, for any three colours in both schemes', () => {
  const inputs = triples();
  expect(inputs.length).toBeGreaterThan(2000);
  expect(sample(inputs).flatMap(faults)).toEqual([]);
});

test('every pair still reaches them on any surface of a page', () => {
  const numbers = spread();
  const any = () =>
    `#${Math.floor(numbers.next().value * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`;
  const greys = Array.from({ length: 256 }, (_, at) => `rgb(${at} ${at} ${at})`);
  const surfaces = [...greys, ...Array.from({ length: 300 }, any)];
  const inputs = surfaces.flatMap((surface) =>
    schemes.map((scheme) => ({ surface, primary: any(), second: any(), accent: any(), scheme })),
  );
  expect(sample(inputs).flatMap(faults)).toEqual([]);
});

test('a visitor who prefers more contrast gets 7:1 for text on surfaces', () => {
  const theme = deriveTheme({ scheme: 'light', accent: '#f0b429', contrast: 'more', normalize });
  expect(wcagContrast(theme['--_accent-text'], theme['--_surface'])).toBeGreaterThanOrEqual(7);
  expect(wcagContrast(theme['--_muted'], theme['--_surface'])).toBeGreaterThanOrEqual(7);
  expect(wcagContrast(theme['--_line-field'], theme['--_surface'])).toBeGreaterThanOrEqual(4.5);
  for (const scheme of schemes) {
    const wide = triples()
      .filter((input) => input.scheme === scheme)
      .map((input) => ({ ...input, contrast: 'more' as const }));
    expect(sample(wide).flatMap(faults)).toEqual([]);
  }
});

test('the light scheme keeps the brand’s own colours', () => {
  const theme = deriveTheme({
    scheme: 'light',
    primary: '#8a1538',
    second: '#ffe8d6',
    accent: 'hotpink',
    normalize,
  });
  expect(theme['--_primary']).toBe('#8a1538');
  expect(theme['--_second']).toBe('#ffe8d6');
  expect(theme['--_accent']).toBe('#ff69b4');
  expect(theme['--_accent-text']).not.toBe('#ff69b4');
});

test('the dark scheme has a darker shade for the header that keeps the brand’s chroma', () => {
  const brands = ['#1f3a5f', '#c8102e', '#0f62fe', '#1db954', '#e20074', '#ff7900', '#7fd1ff', '#7a4510'];
  for (const primary of [...brands, '#ff0000', '#c6ff00', '#ffff00', '#39ff14', '#00ffff']) {
    const header = lch(deriveTheme({ scheme: 'dark', primary })['--_primary']);
    const brand = lch(primary);
    expect(header.l, primary).toBeLessThan(brand.l);
    expect(header.c, primary).toBeGreaterThan(0.79 * brand.c);
    expect(Math.abs(header.h - brand.h), primary).toBeLessThan(8);
  }
  for (const grey of ['#fff', '#808080', '#000'])
    expect(wcagContrast(deriveTheme({ scheme: 'dark', primary: grey })['--_primary'], '#000')).toBeLessThan(
      1.6,
    );
});

test('colours on which white is nearly readable carry white text', () => {
  for (const scheme of schemes) {
    for (const red of ['#ff0000', '#e5484d', '#1877f2']) {
      const theme = deriveTheme({ scheme, primary: red, accent: red });
      expect(wcagContrast(theme['--_on-accent'], '#000'), red).toBeGreaterThan(17);
      expect(wcagContrast(theme['--_on-primary'], '#000'), red).toBeGreaterThan(17);
      expect(wcagContrast(theme['--_on-primary-muted'], '#000'), red).toBeGreaterThan(10);
      const [fill, own] = [lch(theme['--_accent']), lch(red)];
      expect(own.l - fill.l, red).toBeLessThan(0.05);
    }
    expect(deriveTheme({ scheme, accent: '#ff7900' })['--_accent']).toBe('#ff7900');
  }
});

test('a red accent does not make focus look like an error', () => {
  for (const scheme of schemes) {
    for (const accent of ['#ff0000', '#dc143c', '#e5484d', '#8a1538']) {
      const theme = deriveTheme({ scheme, accent });
      expect(theme['--_focus'], accent).toBe(theme['--_text']);
    }
    for (const accent of ['#0b62d6', '#ff7900', '#e20074', '#1db954', '#7a7370'])
      expect(deriveTheme({ scheme, accent })['--_focus'], accent).not.toBe(
        deriveTheme({ scheme, accent })['--_text'],
      );
  }
});

/** Lightness, chroma and hue in OKLCH, by an independent library. */
function lch(colour: string): { readonly l: number; readonly c: number; readonly h: number } {
  const { l = 0, c = 0, h = 0 } = converter('oklch')(colour) ?? {};
  return { l, c, h };
}

test('the dark scheme has a deep tint for the message, lighter links, and the same accent', () => {
  const theme = deriveTheme({ scheme: 'dark' });
  expect(wcagContrast(theme['--_second'], '#000')).toBeLessThan(2);
  expect(wcagContrast(theme['--_accent-text'], theme['--_surface'])).toBeGreaterThan(7);
  for (const accent of ['#0b62d6', '#f0b429', '#ff0000', '#14171c', '#ffffff'])
    expect(deriveTheme({ scheme: 'dark', accent })['--_accent'], accent).toBe(
      deriveTheme({ scheme: 'light', accent })['--_accent'],
    );
});

test('an invalid colour counts as not set', () => {
  const garbage = { primary: '"><script>', second: 'x" onload="y', accent: 'url(javascript:1)' };
  for (const scheme of schemes)
    expect(deriveTheme({ scheme, ...garbage, normalize })).toEqual(deriveTheme({ scheme }));
});

test('every token gets a plain colour and nothing else', () => {
  for (const scheme of schemes) {
    const theme = deriveTheme({ scheme });
    expect(Object.keys(theme).sort()).toEqual(Object.keys(colourTokens).sort());
    for (const colour of Object.values(theme))
      expect(colour).toMatch(/^#[\da-f]{6}$|^rgb\([\d ]+ \/ 0\.\d+\)$/);
  }
});
