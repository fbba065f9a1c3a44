import {
  black,
  carryWhite,
  contrast,
  mix,
  parseColour,
  toHex,
  white,
  type ColourNormalizer,
  type Rgb,
} from './colour.ts';
import { fromOklch, toOklch } from './oklch.ts';
import {
  hoverFill,
  ensureContrast,
  blackOrWhite,
  mixReadable,
  type ContrastTargets,
} from './readable-colour.ts';
import type { ColourToken } from './tokens.ts';

/** Default brand colours. */
export const defaultColours = { primary: '#1f3a5f', second: '#dbe7f6', accent: '#0b62d6' } as const;

/** Light or dark; `auto` is resolved before. */
export type Scheme = 'light' | 'dark';

export interface ThemeInput {
  /** `layout.primary_color`: the header. Missing or invalid: the default. */
  readonly primary?: string | null | undefined;
  /** `layout.second_color`: the visitor's messages. */
  readonly second?: string | null | undefined;
  /** `layout.accent_color`: main buttons, links, focus, options. */
  readonly accent?: string | null | undefined;
  /** Background; the page's `--agent-chat-surface-light` or `-dark`. Default: that of the scheme. */
  readonly surface?: string | null | undefined;
  readonly scheme: Scheme;
  /** `more` if the visitor prefers more contrast: text 7:1 and parts 4.5:1 where the fills allow it. */
  readonly contrast?: 'standard' | 'more';
  /** Parses what `parseColour` cannot. Default: the browser. */
  readonly normalize?: ColourNormalizer;
}

/** A CSS colour for every private colour token. */
export type Theme = Readonly<Record<ColourToken, string>>;

interface Palette {
  readonly surface: Rgb;
  readonly raised: Rgb;
  readonly hover: Rgb;
  readonly line: Rgb;
  readonly text: Rgb;
  readonly muted: Rgb;
  readonly good: Rgb;
  readonly warn: Rgb;
  readonly bad: Rgb;
}

const palettes: Readonly<Record<Scheme, Palette>> = {
  light: {
    surface: white,
    raised: [246, 247, 249],
    hover: [238, 240, 243],
    line: [227, 230, 234],
    text: [22, 25, 29],
    muted: [92, 101, 112],
    good: [19, 122, 75],
    warn: [138, 90, 0],
    bad: [179, 38, 30],
  },
  dark: {
    surface: [20, 23, 28],
    raised: [28, 32, 39],
    hover: [37, 42, 50],
    line: [42, 48, 56],
    text: [232, 235, 239],
    muted: [154, 164, 177],
    good: [95, 211, 155],
    warn: [232, 182, 90],
    bad: [255, 138, 128],
  },
};

/** Hue at which a deep tint can have the most chroma, in radians of OKLCH. */
const blueHue = 4.45;

/**
 * Derives every colour of the widget from the three layout colours, so that each pair in `contrastPairs` reaches
 * 4.5:1 (text) or 3:1 (parts) for any choice of colours. In the light scheme the fills are the page's own colours.
 * In the dark scheme the header is the darkest shade that keeps the brand's chroma, the message a deep tint, and links
 * are lightened until they are readable. The accent is the launcher's in both schemes.
 */
export function deriveTheme(input: ThemeInput): Theme {
  const { scheme, normalize } = input;
  const targets: ContrastTargets =
    input.contrast === 'more' ? { text: 7, part: 4.5 } : { text: 4.5, part: 3 };
  const neutrals = neutralsOn(input.surface, scheme, normalize);
  const { surface, raised, hover, line } = neutrals;
  const grounds = [surface, raised, hover];
  const strongest = blackOrWhite(grounds);

  const read = (name: keyof typeof defaultColours) =>
    parseColour(input[name], surface, normalize) ?? parseColour(defaultColours[name]) ?? strongest;
  const dark = scheme === 'dark';
  const primary = carryWhite(dark ? deepShade(read('primary')) : read('primary'));
  const second = carryWhite(dark ? deepTint(read('second')) : read('second'));
  const accent = carryWhite(read('accent'));
  const bright = dark ? lifted(accent, grounds, targets) : accent;

  const soft = (colour: Rgb, amount: number) => mixReadable(surface, colour, amount, strongest, 4.5);
  const accentSoft = soft(bright, dark ? 0.18 : 0.12);
  const badSoft = soft(neutrals.bad, 0.1);
  const everywhere = [...grounds, accentSoft, badSoft];
  const text = ensureContrast(neutrals.text, everywhere, Math.max(7, targets.text));
  const muted = ensureContrast(neutrals.muted, everywhere, targets.text);
  const accentText = ensureContrast(bright, [...grounds, accentSoft], targets.text);
  const good = ensureContrast(neutrals.good, grounds, targets.text);
  const warn = ensureContrast(neutrals.warn, grounds, targets.text);
  const bad = ensureContrast(neutrals.bad, [...grounds, badSoft], targets.text);

  const onPrimary = inkOn(primary, scheme);
  const onSecond = inkOn(second, scheme);
  const onAccent = inkOn(accent, scheme);
  /** Secondary text: the same ink, quieter as far as it stays readable. */
  const quieter = (ink: Rgb, fill: Rgb, amount: number) =>
    [amount, amount / 2]
      .map((share) => mix(ink, fill, share))
      .find((one) => contrast(one, fill) >= targets.text) ?? ink;
  const edge = (colour: Rgb) => ensureContrast(colour, [surface, raised], targets.part);

  return toTheme({
    '--_surface': surface,
    '--_raised': raised,
    '--_hover': hover,
    '--_code': raised,
    '--_line': line,
    '--_line-field': edge(mix(surface, muted, 0.55)),
    '--_text': text,
    '--_muted': muted,
    '--_primary': primary,
    '--_primary-raised': mixReadable(primary, onPrimary, 0.16, onPrimary, 4.5),
    '--_on-primary': onPrimary,
    '--_on-primary-muted': quieter(onPrimary, primary, 0.2),
    '--_second': second,
    '--_second-line': contrast(second, surface) < 1.07 ? line : second,
    '--_on-second': onSecond,
    '--_second-link': ensureContrast(bright, [second], targets.text),
    '--_second-muted': quieter(onSecond, second, 0.28),
    '--_accent': accent,
    '--_accent-hover': hoverFill(accent, onAccent, 4.5),
    '--_on-accent': onAccent,
    '--_accent-edge': edge(accent),
    '--_accent-text': accentText,
    '--_accent-soft': accentSoft,
    '--_good': good,
    '--_warn': warn,
    '--_bad': bad,
    '--_bad-soft': badSoft,
    '--_focus': looksLikeError(accent) ? text : accentText,
    '--_outline': dark ? mix(surface, white, 0.12) : 'rgb(0 0 0 / 0.07)',
    '--_shadow-colour': dark ? 'rgb(0 0 0 / 0.6)' : 'rgb(15 25 45 / 0.28)',
  });
}

/** The scheme's greys, or greys derived from the page's surface. */
function neutralsOn(value: string | null | undefined, scheme: Scheme, normalize?: ColourNormalizer): Palette {
  const own = parseColour(value, palettes[scheme].surface, normalize);
  if (!own) return palettes[scheme];
  const ink = blackOrWhite([own]);
  const step = (amount: number) => mixReadable(own, ink, amount, ink, 4.5);
  const palette = palettes[ink === white ? 'dark' : 'light'];
  return {
    ...palette,
    surface: own,
    raised: step(0.035),
    hover: step(0.07),
    line: step(0.13),
  };
}

/** Share of the brand's chroma that a darker shade keeps. */
const keptChroma = 0.9;

/**
 * The darkest shade that is still the brand's colour: darker, red would turn brown, and neon yellow olive. Greys become
 * nearly as dark as the surface.
 */
function deepShade(colour: Rgb): Rgb {
  const { lightness, chroma, hue } = toOklch(colour);
  const shade = (light: number) => fromOklch({ lightness: light, chroma, hue });
  let dark = Math.max(0.265, Math.min(lightness * 0.85, 0.28 + Math.min(chroma, 0.17)));
  let light = Math.max(dark, lightness);
  const keeps = (at: number) => toOklch(shade(at)).chroma >= chroma * keptChroma - 0.004;
  if (keeps(dark)) return shade(dark);
  for (let round = 0; round < 8; round += 1) {
    const middle = (dark + light) / 2;
    if (keeps(middle)) light = middle;
    else dark = middle;
  }
  return shade(light);
}

/** Whether a focus ring in this colour would look like that of an invalid field. */
function looksLikeError(colour: Rgb): boolean {
  const { chroma, hue } = toOklch(colour);
  return chroma > 0.1 && hue > 0.15 && hue < 0.75;
}

/**
 * A dark background of the same hue. Greys stay grey; yellows get less chroma than blues, because they look muddy
 * earlier.
 */
function deepTint(colour: Rgb): Rgb {
  const { chroma, hue } = toOklch(colour);
  const share = 0.8 + 0.2 * Math.cos(hue - blueHue);
  return fromOklch({ lightness: 0.325, chroma: Math.min(chroma * 2.5, 0.058 * share), hue });
}

/**
 * Keeps a colour that is readable on dark surfaces; otherwise returns a lighter, less saturated one of the same
 * hue.
 */
function lifted(colour: Rgb, grounds: readonly Rgb[], targets: ContrastTargets): Rgb {
  if (ensureContrast(colour, grounds, targets.text) === colour) return colour;
  const { lightness, chroma, hue } = toOklch(colour);
  const sister = fromOklch({ lightness: Math.max(lightness, 0.755), chroma: Math.min(chroma, 0.13), hue });
  return ensureContrast(sister, grounds, targets.text);
}

/**
 * Text colour on a fill: white where readable, softened in the dark scheme; else a near-black of the fill's hue.
 */
function inkOn(fill: Rgb, scheme: Scheme): Rgb {
  const { chroma, hue } = toOklch(fill);
  if (contrast(white, fill) < 4.5) {
    const near = fromOklch({ lightness: 0.25, chroma: Math.min(chroma * 2.5, 0.055), hue });
    return contrast(near, fill) >= 7 ? near : black;
  }
  const softened = fromOklch({ lightness: 0.955, chroma: Math.min(chroma, 0.014), hue });
  return scheme === 'dark' && contrast(softened, fill) >= 7 ? softened : white;
}

function toTheme(colours: Readonly<Record<ColourToken, Rgb | string>>): Theme {
  const rows = Object.entries(colours).map(([name, colour]) => [
    name,
    typeof colour === 'string' ? colour : toHex(colour),
  ]);
  // the record has every key
  return Object.fromEntries(rows) as Theme;
}
