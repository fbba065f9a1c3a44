import { black, contrast, mix, white, type Rgb } from './colour.ts';
import { fromOklch, toOklch } from './oklch.ts';

/** Required contrast of text, and of parts (border, ring, icon), with their background. */
export interface ContrastTargets {
  readonly text: number;
  readonly part: number;
}

/** The lowest contrast of a colour over several backgrounds. */
function worstContrast(colour: Rgb, grounds: readonly Rgb[]): number {
  return Math.min(...grounds.map((ground) => contrast(colour, ground)));
}

/** Black or white, whichever has more contrast with the backgrounds. */
export function blackOrWhite(grounds: readonly Rgb[]): Rgb {
  return worstContrast(white, grounds) >= worstContrast(black, grounds) ? white : black;
}

/**
 * Returns the colour if it reaches `target` on every background, else the nearest of its hue that does, lighter or
 * darker; black or white if none does.
 */
export function ensureContrast(colour: Rgb, grounds: readonly Rgb[], target: number): Rgb {
  if (worstContrast(colour, grounds) >= target) return colour;
  const end = blackOrWhite(grounds);
  const start = toOklch(colour);
  let far = end === white ? 1 : 0;
  let near = start.lightness;
  let found = end;
  for (let round = 0; round < 9; round += 1) {
    const lightness = (near + far) / 2;
    const candidate = fromOklch({ ...start, lightness });
    if (worstContrast(candidate, grounds) >= target) {
      found = candidate;
      far = lightness;
    } else near = lightness;
  }
  return found;
}

/**
 * Blends `over` into `ground`, by `amount` or as far as `ink` stays readable on it. If nothing can be blended, moves
 * `ground` away from the ink.
 */
export function mixReadable(ground: Rgb, over: Rgb, amount: number, ink: Rgb, target: number): Rgb {
  for (const share of [1, 0.75, 0.5, 0.25]) {
    const tinted = mix(ground, over, amount * share);
    if (contrast(ink, tinted) >= target) return tinted;
  }
  return mix(ground, oppositeOf(ink, ground), amount / 2);
}

/** Fill on hover: away from the ink if that is visible, else towards it. */
export function hoverFill(fill: Rgb, ink: Rgb, target: number): Rgb {
  const away = mix(fill, oppositeOf(ink, fill), 0.14);
  return contrast(away, fill) >= 1.1 ? away : mixReadable(fill, ink, 0.16, ink, target);
}

function oppositeOf(ink: Rgb, ground: Rgb): Rgb {
  return contrast(ink, black) > contrast(ground, black) ? black : white;
}
