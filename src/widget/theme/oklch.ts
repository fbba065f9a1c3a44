import { fromLinear, toLinear, type Rgb } from './colour.ts';

/** A colour in OKLCH: lightness 0–1, chroma 0–0.4, hue in radians. @source OKLab, Björn Ottosson */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

export function toOklch(colour: Rgb): Oklch {
  const red = toLinear(colour[0]);
  const green = toLinear(colour[1]);
  const blue = toLinear(colour[2]);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** The nearest sRGB colour of the same lightness and hue; reduces the chroma. */
export function fromOklch({ lightness, chroma, hue }: Oklch): Rgb {
  let parts = toLinearRgb(lightness, chroma, hue);
  if (!inGamut(parts)) {
    let low = 0;
    let high = chroma;
    for (let round = 0; round < 10; round += 1) {
      const middle = (low + high) / 2;
      if (inGamut(toLinearRgb(lightness, middle, hue))) low = middle;
      else high = middle;
    }
    parts = toLinearRgb(lightness, low, hue);
  }
  const [red, green, blue] = parts;
  return [fromLinear(red), fromLinear(green), fromLinear(blue)];
}

/** Linear RGB; a part below 0 or above 1 is outside sRGB. */
function toLinearRgb(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function inGamut(parts: Rgb): boolean {
  return parts.every((part) => part > -0.0005 && part < 1.0005);
}
