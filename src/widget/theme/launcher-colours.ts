import {
  black,
  carryWhite,
  contrast,
  mix,
  parseColour,
  plainInk,
  toHex,
  white,
  type ColourNormalizer,
  type Rgb,
} from './colour.ts';

/** Default accent colour. */
const defaultAccent: Rgb = [11, 98, 214];
const darkPage: Rgb = [20, 23, 28];

/** The launcher's colours for engines that cannot derive them in its style sheet. */
export interface LauncherColours {
  /** Fill: the page's accent in both schemes, as in the panel. */
  readonly '--_accent': string;
  /** Icon, at least 4.5:1 on the fill. */
  readonly '--_on-accent': string;
  /** Border and focus ring, at least 3:1 on a white page (light) or a near-black one (dark). */
  readonly '--_accent-edge': string;
}

/** Derives the launcher's colours from the page's accent, or from the default if it is missing or invalid. */
export function launcherColours(
  accent: string | undefined,
  scheme: 'light' | 'dark',
  normalize?: ColourNormalizer,
): LauncherColours {
  const fill = carryWhite(parseColour(accent, white, normalize) ?? defaultAccent);
  const ink = plainInk(fill);
  const [page, away] = scheme === 'dark' ? [darkPage, white] : [white, black];
  let edge = fill;
  while (contrast(edge, page) < 3) edge = mix(edge, away, 0.1);
  return {
    '--_accent': toHex(fill),
    '--_on-accent': toHex(ink),
    '--_accent-edge': toHex(edge),
  };
}

/** Sets the launcher's colours on the style of the element around it; `auto` follows the visitor's system. */
export function applyLauncherColours(
  style: CSSStyleDeclaration,
  accent: string | undefined,
  theme: 'light' | 'dark' | 'auto',
): void {
  const dark =
    theme === 'auto' ? window.matchMedia?.('(prefers-color-scheme: dark)').matches : theme === 'dark';
  for (const [name, colour] of Object.entries(launcherColours(accent, dark ? 'dark' : 'light'))) {
    style.setProperty(name, colour);
  }
}
