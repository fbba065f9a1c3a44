/*
 * CSS expressions that derive a colour from another one. In numbers that they take, `x`, `y` and `z` are the parts of
 * that colour in CIE XYZ. `y` is the luminance by which WCAG defines contrast: 0 is black, 1 is white.
 *
 * CSS cannot choose between two colours. `opaqueWhere` makes the first of them opaque or transparent by a condition, and
 * `firstOpaque` puts it over the second. A condition is a number that is positive where it holds.
 */

/** The colour within sRGB; a translucent one is laid over white. */
export function laidOverWhite(colour: string): string {
  const part = (name: string) => `clamp(0,${name}*alpha + 1 - alpha,1)`;
  return `color(from ${colour} srgb ${part('r')} ${part('g')} ${part('b')}/1)`;
}

/** The colour with its light multiplied; hue and saturation stay. */
export function scaled(colour: string, factor: string): string {
  return `color(from ${colour} xyz-d65 calc(x*${factor}) calc(y*${factor}) calc(z*${factor}))`;
}

/** The colour, darkened where it is brighter than this luminance. */
export function darkened(colour: string, luminance: number): string {
  return scaled(colour, `min(1,${luminance}/y)`);
}

/** The colour with another alpha, which is clamped to 0–1. */
export function withAlpha(colour: string, alpha: string): string {
  return `color(from ${colour} xyz-d65 x y z/calc(${alpha}))`;
}

/** The colour, opaque where the condition holds, else transparent. */
export function opaqueWhere(condition: string, colour: string): string {
  return withAlpha(colour, `1e5*(${condition})`);
}

/** White where the condition holds for the colour, else black. */
export function whiteWhere(condition: string, colour: string): string {
  return `color(from ${opaqueWhere(condition, colour)} srgb alpha alpha alpha/1)`;
}

/** An opaque mix of two colours, one of which may be translucent: it then has a smaller share. */
export function mixed(space: string, colour: string, percent: number, other: string): string {
  return `color(from color-mix(in ${space},${colour} ${percent}%,${other}) srgb r g b/1)`;
}

/** The first colour where it is opaque; the second where that is transparent. */
export function firstOpaque(colour: string, other: string): string {
  return mixed('srgb', colour, 99.9, other);
}
