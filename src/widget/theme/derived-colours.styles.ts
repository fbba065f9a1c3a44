import { unsafeCSS } from 'lit';
import {
  darkened,
  firstOpaque,
  laidOverWhite,
  mixed,
  opaqueWhere,
  scaled,
  whiteWhere,
  withAlpha,
} from './relative-colours.ts';

/*
 * Derives every colour of the panel from the page's three, so that each pair in `contrastPairs` reaches 4.5:1 (text) or
 * 3:1 (parts) for any three colours. `deriveTheme` computes the same colours where this sheet cannot.
 *
 * The luminance limits below follow from WCAG's contrast, (lighter + 0.05) / (darker + 0.05).
 */

/** The properties for the page's colours; the layer has its accent. */
export const layoutColours = { primary: '--_host-primary', second: '--_host-second' } as const;

const pagePrimary = laidOverWhite(`var(${layoutColours.primary})`);
const pageSecond = laidOverWhite(`var(${layoutColours.second})`);
const primary = 'var(--_primary)';
const second = 'var(--_second)';
const accent = 'var(--_accent)';
const accentText = 'var(--_accent-text)';

/** A fill on which white would nearly be readable, darkened until it is. The layer's sheet declares the factor. */
const carryWhite = (fill: string) => scaled(fill, 'var(--_fit)');

/** White reads up to a luminance of 0.183, and `carryWhite` leaves no fill between 0.18 and 0.227. */
const carriesWhite = '.2 - y';

/** Darker shade of the same hue. The more chroma a colour has, the lighter it stays: dark red is brown, dark yellow olive. */
const deepShade = (colour: string) =>
  laidOverWhite(`oklch(from ${colour} max(.265,min(l*.85,.28 + c + 6*max(0,c - .09))) c h)`);

/** A dark background of the same hue: yellows get less chroma than blues (255°), because they look muddy
 * earlier. 57.3° are a radian. */
const deepTint = (colour: string) =>
  `oklch(from ${colour} .325 min(c*2.5,.0464 + .0116*cos((h - 255)/57.3)) h)`;

/** Text on a fill: white, in the dark scheme softened on the darkest fills; or a near-black of the fill's hue. */
function inkOn(fill: string): string {
  const nearBlack = `oklch(from ${fill} min(.25,l*l*.3) min(c*2.5,.055) h)`;
  const bright = opaqueWhere(carriesWhite, fill);
  const white = `color(from ${bright} srgb 1 1 1)`;
  const softWhite = `oklch(from ${bright} clamp(.955,.7 + l*.67,1) min(c,clamp(0,.055 - l*.1,.014)) h)`;
  return `light-dark(${firstOpaque(white, nearBlack)},${firstOpaque(softWhite, nearBlack)})`;
}

/** The ink mixed with its fill, the less the nearer the fill is to the luminances on which no ink has contrast to spare. */
const quieter = (ink: string, fill: string, percent: number) =>
  mixed('srgb', withAlpha(fill, 'max((.18 - y)*8,(y - .227)*3)'), percent, ink);

/**
 * A fill beside another: lighter if that has a luminance below `dark`, or from 0.2 to `light`; else darker. So its ink is
 * readable on it, and it differs even from black or white.
 */
const neighbour = (fill: string, percent: number, dark: number, light: number) =>
  `color-mix(in srgb,${fill},${whiteWhere(`(${dark} - y)*(.2 - y)*(${light} - y)*1e4`, fill)} ${percent}%)`;

/** Where the accent is far from the hue of errors: 9° to 43° in OKLCH, unless greyish. */
const unlikeError = `oklch(from ${accentText} l c h/calc(1e5*max(.1 - c,8.6 - h,h - 43)))`;

/**
 * The accent on the visitor's message: on a bright one darkened by black, whose share makes the contrast 4.5:1; on a dark
 * one with the lightness that has this contrast (`none`: hue and chroma are the accent's), the paler the lighter.
 */
function accentOnSecond(): string {
  const black = `color(from ${withAlpha(second, '.0102*(.625/(y - .175) - 1)')} srgb 0 0 0)`;
  const onBright = mixed('xyz-d65', black, 99, accentText);
  const readable = withAlpha(second, '.2215 + 4.318*y'); // as alpha, which is 1 on all bright ones
  const grey = `color(from ${readable} srgb-linear alpha alpha alpha/calc(1e5*(1 - alpha)))`;
  const lightness = `oklch(from ${grey} l none none)`;
  return `oklch(from color-mix(in oklch,${lightness} 99.9%,${onBright}) l clamp(0,c,.6 - l*.61) h/1)`;
}

const lightAccentSoft = `color-mix(in srgb,${accent} 12%,#fff)`;
const darkAccentSoft = `color-mix(in srgb,${accentText} 18%,#14171c)`;

/** The derived tokens, without `--_`. `--_accent`, `--_on-accent` and `--_accent-edge` come from the layer. */
const derived = {
  primary: carryWhite(`light-dark(${pagePrimary},${deepShade(pagePrimary)})`),
  'primary-raised': neighbour(primary, 16, 0.105, 0.3),
  'on-primary': inkOn(primary),
  'on-primary-muted': quieter('var(--_on-primary)', primary, 20),
  second: `light-dark(${carryWhite(pageSecond)},${deepTint(pageSecond)})`,
  // a message that is nearly as white as the surface has a grey outline
  'second-line': scaled(second, '(1 - .21*clamp(0,(y - .931)*1e5,1))'),
  'on-second': inkOn(second),
  'second-muted': quieter('var(--_on-second)', second, 28),
  'accent-hover': neighbour(accent, 14, 0.0235, 0.45),
  // 4.5:1 on the tint that 12 % of the accent gives, in the dark scheme on a message's tint
  'accent-text': `light-dark(${darkened(accent, 0.1366)},${firstOpaque(opaqueWhere('y - .34', accent), `oklch(from ${accent} max(l,.755) min(c,.13) h)`)})`,
  // dark enough for secondary text
  'accent-soft': `light-dark(${lightAccentSoft},${darkened(darkAccentSoft, 0.0405)})`,
  focus: firstOpaque(unlikeError, 'var(--_text)'),
  'second-link': `light-dark(${accentOnSecond()},${accentText})`,
};

const registeredName = (token: string) => `--agent-chat_${token}`;

/**
 * Makes the browser compute each derived colour once, on the panel: an unregistered property is inherited as text, and
 * computed by every element that uses it.
 */
export function registerColours(): void {
  for (const token of Object.keys(derived)) {
    try {
      CSS.registerProperty({
        name: registeredName(token),
        syntax: '<color>',
        inherits: true,
        initialValue: '#000',
      });
    } catch {
      // registered by another copy of the script, or not possible
    }
  }
}

const declarations = Object.entries(derived).map(
  ([token, colour]) => `${registeredName(token)}:${colour};--_${token}:var(${registeredName(token)});`,
);

/** They follow `color-scheme`, `layoutColours` and the layer's `--_accent`. */
export const derivedColourStyles = unsafeCSS(`:host{${declarations.join('')}}`);
