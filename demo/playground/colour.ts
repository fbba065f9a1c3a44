/** Red, green, blue 0–255 and alpha 0–1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

let brush: CanvasRenderingContext2D | null | undefined;

/** Parses any CSS colour with the browser; undefined if it is invalid. */
export function readColour(value: string): Rgba | undefined {
  brush ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!brush || value.trim() === '' || !CSS.supports('color', value)) return undefined;
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = value;
  brush.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

/** A colour as brand guides write it, `ff6600`, with its `#`; any other text without the spaces around it. */
export function withHash(text: string): string {
  const colour = text.trim();
  return /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(colour) ? `#${colour}` : colour;
}

/** The colour in the form of `<input type="color">`; black if it is invalid. */
export function hexOf(value: string): string {
  const [red, green, blue] = readColour(value) ?? [0, 0, 0];
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2 contrast ratio of two opaque colours. */
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(readColour(one)), luminance(readColour(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Rgba = [0, 0, 0, 1]): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}
