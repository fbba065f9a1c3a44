/** Red, green and blue of an opaque sRGB colour, integers 0–255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Converts any CSS colour (`teal`, `hsl(…)`, `oklch(…)`) to a form that `parseColour` reads: hex, `rgb()` or
 * `color(srgb …)`. Returns undefined for other texts.
 */
export type ColourNormalizer = (value: string) => string | undefined;

export const black: Rgb = [0, 0, 0];
export const white: Rgb = [255, 255, 255];

/**
 * Parses any CSS colour; undefined for other texts. A translucent colour is blended with `backdrop`.
 *
 * Hex, `rgb()` and `color(srgb …)` are parsed here; everything else by the browser.
 */
export function parseColour(
  value: string | null | undefined,
  backdrop: Rgb = white,
  normalize: ColourNormalizer = normalizeByCanvas,
): Rgb | undefined {
  const text = value?.trim() ?? '';
  if (text === '' || text.length > 200) return undefined;
  let parts = readParts(text);
  if (!parts) {
    const normal = normalize(text);
    parts = normal === undefined ? undefined : readParts(normal);
  }
  if (!parts || parts.some(Number.isNaN)) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return mix(backdrop, [channel(red), channel(green), channel(blue)], Math.min(1, Math.max(0, alpha)));
}

/** Mixes two colours in sRGB, like `color-mix(in srgb)`; `amount` 0–1 is the share of the second. */
export function mix(from: Rgb, to: Rgb, amount: number): Rgb {
  const at = (index: 0 | 1 | 2) => channel(from[index] + (to[index] - from[index]) * amount);
  return [at(0), at(1), at(2)];
}

/** WCAG 2 contrast ratio of two opaque colours, 1–21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** White if it is readable (4.5:1), else black, which then is. */
export function plainInk(ground: Rgb): Rgb {
  return contrast(white, ground) >= 4.5 ? white : black;
}

/**
 * Highest luminance on which white is readable (4.5:1), and the highest that is darkened to it unseen, like pure red.
 */
const [whiteReads, whiteNearlyReads] = [0.18, 0.227];

/** A fill on which white would nearly be readable, darkened until it is; any other fill unchanged. */
export function carryWhite(fill: Rgb): Rgb {
  const light = luminance(fill);
  if (light <= whiteReads || light > whiteNearlyReads) return fill;
  const [red, green, blue] = fill.map((part) => fromLinear((toLinear(part) * whiteReads) / light));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

export function toHex(colour: Rgb): string {
  return '#' + colour.map((part) => part.toString(16).padStart(2, '0')).join('');
}

export function toLinear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

export function fromLinear(linear: number): number {
  const share = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return channel(share * 255);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function channel(part: number): number {
  return Math.min(255, Math.max(0, Math.round(part)));
}

/** Red, green, blue 0–255 and alpha 0–1, not clamped. */
function readParts(text: string): number[] | undefined {
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.exec(text)?.[1];
  if (hex) {
    const size = hex.length > 4 ? 2 : 1;
    const digits = hex.match(size === 2 ? /../g : /./g) ?? [];
    return digits.map((pair, at) => parseInt(pair.repeat(3 - size), 16) / (at === 3 ? 255 : 1));
  }
  const call = /^(rgba?|color)\(\s*(srgb\s)?([^()]+)\)$/i.exec(text);
  if (!call?.[3] || (call[1] === 'color') !== (call[2] !== undefined)) return undefined;
  const parts = call[3].trim().split(/[\s,/]+/);
  if (parts.length < 3 || parts.length > 4) return undefined;
  return parts.map((part, at) => {
    const scale = part.endsWith('%') ? (at === 3 ? 0.01 : 2.55) : at < 3 && call[2] ? 255 : 1;
    return part === 'none' ? 0 : /^[-+.\d]/.test(part) ? parseFloat(part) * scale : NaN;
  });
}

let brush: CanvasRenderingContext2D | null | undefined;

/** Parses a colour with a canvas context. Does not read pixels, which privacy modes falsify. */
function normalizeByCanvas(value: string): string | undefined {
  if (typeof document === 'undefined') return undefined;
  brush ??= document.createElement('canvas').getContext('2d');
  if (!brush || paint(brush, value, '#000') !== paint(brush, value, '#fff')) return undefined;
  const plain = paint(brush, value, '#000');
  // Colours outside sRGB are returned as written; mixing one with itself converts it to `color(srgb …)`.
  return readParts(plain) ? plain : paint(brush, `color-mix(in srgb, ${value}, ${value})`, '#000');
}

function paint(context: CanvasRenderingContext2D, value: string, ifInvalid: string): string {
  context.fillStyle = ifInvalid;
  context.fillStyle = value;
  // a string was set, so this is a string and no gradient or pattern
  return context.fillStyle as string;
}
