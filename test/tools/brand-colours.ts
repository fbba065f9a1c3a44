/** Three layout colours, as a page may set them. */
export interface BrandColours {
  readonly primary: string;
  readonly second: string;
  readonly accent: string;
}

/** Colours in many notations: brands, greys around the limits of contrast, the corners of sRGB, wide and translucent ones. */
export const samplePicks: readonly string[] = [
  ...['#1f3a5f', '#dbe7f6', '#0b62d6', '#000', '#fff', '#808080', '#767676', '#777', '#757575', '#7f7f7f'],
  ...['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#ff00ff', '#00ffff', '#f0b429', '#e5484d', '#fffffe'],
  ...['#010101', 'teal', 'hotpink', 'rebeccapurple', 'hsl(31 90% 52%)', 'oklch(0.7 0.3 150)'],
  ...['lab(50 80 60)', 'color(display-p3 0 1 0)', 'hwb(200 20% 10%)', '#0b62d680', '#ffffff00'],
  ...['rgb(255 0 0 / 0.08)', 'rgb(10%, 90%, 40%)'],
];

/** Evenly distributed pseudo-random numbers, the same in every run. */
export function* spread(): Generator<number, never> {
  let state = 7;
  for (;;) {
    state = (state * 16807) % 2147483647;
    yield state / 2147483647;
  }
}

/** Any opaque colour. */
export function anyColour(numbers: Generator<number, never>): string {
  return `#${Math.floor(numbers.next().value * 0x1000000)
    .toString(16)
    .padStart(6, '0')}`;
}

/** Over a thousand triples of colours: each pick, mixes of the picks, any colours and each grey. */
export function brandTriples(picks: readonly string[] = samplePicks): BrandColours[] {
  const numbers = spread();
  const pick = () => picks[Math.floor(numbers.next().value * picks.length)] ?? '';
  const any = () => anyColour(numbers);
  const alike = (one: string) => ({ primary: one, second: one, accent: one });
  return [
    ...picks.map(alike),
    ...Array.from({ length: 400 }, () => ({ primary: pick(), second: pick(), accent: pick() })),
    ...Array.from({ length: 400 }, () => ({ primary: any(), second: any(), accent: any() })),
    ...Array.from({ length: 256 }, (_, at) => alike(`#${at.toString(16).padStart(2, '0').repeat(3)}`)),
  ];
}
