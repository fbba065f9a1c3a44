import { wcagContrast } from 'culori';

const steps = [0, 51, 102, 118, 119, 128, 153, 204, 255];

/** 729 accent colours in a grid over the sRGB cube. */
export const sampleAccents: readonly string[] = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => `rgb(${red} ${green} ${blue})`)),
);

/** The launcher's colours that have to contrast. */
export interface LauncherColourTokens {
  readonly '--_accent': string;
  readonly '--_on-accent': string;
  readonly '--_accent-edge': string;
}

/** Whether the icon is readable on the launcher, and the launcher's edge is visible on a page of the scheme. */
export function isLauncherVisible(colours: LauncherColourTokens, scheme: 'light' | 'dark'): boolean {
  const ink = colours['--_on-accent'];
  const page = scheme === 'dark' ? '#14171c' : '#ffffff';
  return wcagContrast(ink, colours['--_accent']) >= 4.5 && wcagContrast(colours['--_accent-edge'], page) >= 3;
}
