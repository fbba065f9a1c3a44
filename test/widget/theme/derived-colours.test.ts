import { expect } from '@open-wc/testing';
import { converter, parse, wcagContrast } from 'culori';
import { contrastPairs } from '../../../src/widget/theme/contrast-pairs.ts';
import { defaultColours, deriveTheme, type Scheme } from '../../../src/widget/theme/derive-theme.ts';
import { colourTokens, type ColourToken } from '../../../src/widget/theme/tokens.ts';
import { brandTriples, type BrandColours } from '../../tools/brand-colours.ts';
import { sampleAccents } from '../../tools/launcher-contrast.ts';
import { sample } from '../../tools/quick.ts';
import { PanelSheet } from './panel-sheet.ts';

const schemes: readonly Scheme[] = ['light', 'dark'];
const toRgb = converter('rgb');
const toLch = converter('oklch');
const alike = (one: string): BrandColours => ({ primary: one, second: one, accent: one });

/** The largest difference of red, green or blue, 0–255. */
function difference(one: string, other: string): number {
  const [a, b] = [toRgb(parse(one)), toRgb(parse(other))];
  return Math.max(
    ...(['r', 'g', 'b'] as const).map((part) => 255 * Math.abs((a?.[part] ?? 0) - (b?.[part] ?? 0))),
  );
}

describe('the colours that the panel’s style sheet derives', () => {
  let sheet: PanelSheet;
  beforeEach(() => {
    sheet = new PanelSheet();
  });
  afterEach(() => sheet.remove());

  it('make every pair reach 4.5:1 for text and 3:1 for parts, for any three colours in both schemes', function () {
    this.timeout(60_000);
    const faults: string[] = [];
    const brands = [...brandTriples(), ...sampleAccents.map(alike)];
    for (const scheme of schemes) {
      for (const brand of sample(brands)) {
        const theme = sheet.read(brand, scheme);
        for (const { front, back, kind } of contrastPairs) {
          const ratio = wcagContrast(theme[front], theme[back]);
          if (ratio < (kind === 'text' ? 4.5 : 3))
            faults.push(`${JSON.stringify(brand)} ${scheme}: ${front} on ${back} = ${ratio.toFixed(2)}`);
        }
      }
    }
    expect(faults).to.deep.equal([]);
  });

  it('are those that `deriveTheme` computes, for the default colours', () => {
    for (const scheme of schemes) {
      const computed = deriveTheme({ scheme });
      const derived = sheet.read(defaultColours, scheme);
      for (const token of Object.keys(colourTokens) as ColourToken[]) {
        // a thin line, of which little of the hue is seen
        const tolerance = token === '--_accent-edge' ? 14 : 3.1;
        expect(difference(derived[token], computed[token]), `${scheme} ${token}`).to.be.below(tolerance);
      }
    }
  });

  it('are the brand’s own for header, message and launcher in the light scheme', () => {
    const brand = { primary: '#8a1538', second: '#ffe8d6', accent: '#ff69b4' };
    expect(sheet.read(brand, 'light')).to.include({
      '--_primary': brand.primary,
      '--_second': brand.second,
      '--_accent': brand.accent,
    });
  });

  it('keep the header’s hue and most of its chroma in the dark scheme', () => {
    const brands = ['#1f3a5f', '#c8102e', '#0f62fe', '#1db954', '#e20074', '#ff7900', '#7fd1ff', '#7a4510'];
    for (const primary of [...brands, '#ff0000', '#c6ff00', '#ffff00', '#39ff14', '#00ffff']) {
      const header = toLch(sheet.read(alike(primary), 'dark')['--_primary']);
      const brand = toLch(primary);
      expect(header?.l, primary).to.be.below(brand?.l ?? 0);
      expect(header?.c, primary).to.be.above(0.75 * (brand?.c ?? 1));
      expect(Math.abs((header?.h ?? 0) - (brand?.h ?? 0)), primary).to.be.below(8);
    }
    for (const grey of ['#fff', '#808080', '#000'])
      expect(wcagContrast(sheet.read(alike(grey), 'dark')['--_primary'], '#000')).to.be.below(1.6);
  });

  it('keep the accent’s hue in links, also inside the visitor’s message', () => {
    const accents = ['#0b62d6', '#1db954', '#e20074', '#7a4510', '#6750a4'];
    for (const accent of accents) {
      for (const second of ['#dbe7f6', '#ffffff', '#f0b429', '#1f3a5f', '#000000']) {
        const theme = sheet.read({ primary: '#000', second, accent }, 'light');
        for (const token of ['--_accent-text', '--_second-link'] as const) {
          const turn = Math.abs((toLch(theme[token])?.h ?? 0) - (toLch(accent)?.h ?? 0));
          expect(Math.min(turn, 360 - turn), `${token} ${accent} on ${second}`).to.be.below(12);
          expect(toLch(theme[token])?.c, `${token} ${accent} on ${second}`).to.be.above(0.03);
        }
      }
    }
  });

  it('do not make focus look like an error with a red accent', () => {
    for (const scheme of schemes) {
      for (const accent of ['#ff0000', '#dc143c', '#e5484d', '#8a1538']) {
        const theme = sheet.read(alike(accent), scheme);
        expect(difference(theme['--_focus'], theme['--_text']), accent).to.be.below(2);
      }
      for (const accent of ['#0b62d6', '#ff7900', '#e20074', '#1db954', '#7a7370']) {
        const theme = sheet.read(alike(accent), scheme);
        expect(difference(theme['--_focus'], theme['--_accent-text']), accent).to.be.below(2);
      }
    }
  });

  it('make hover and a raised part visible on every fill', () => {
    for (const scheme of schemes) {
      for (const one of sample(sampleAccents)) {
        const theme = sheet.read(alike(one), scheme);
        expect(theme['--_accent-hover'], one).not.to.equal(theme['--_accent']);
        expect(theme['--_primary-raised'], one).not.to.equal(theme['--_primary']);
      }
    }
  });

  it('are each computed once, not by every element that uses them', () => {
    sheet.read(defaultColours, 'light');
    const inherited = getComputedStyle(sheet.panel).getPropertyValue('--_second-link');
    expect(CSS.supports('color', inherited)).to.equal(true);
    expect(inherited).not.to.match(/var|from/);
  });
});
