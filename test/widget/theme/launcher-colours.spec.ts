import { expect, test } from '@playwright/test';
import { wcagContrast } from 'culori';
import { launcherColours } from '../../../src/widget/theme/launcher-colours.ts';

test('the launcher’s icon is readable on any accent, and its edge is visible on light and dark pages', () => {
  const steps = [0, 51, 102, 118, 119, 128, 153, 204, 255];
  const accents = steps.flatMap((red) =>
    steps.flatMap((green) => steps.map((blue) => `rgb(${red} ${green} ${blue})`)),
  );
  expect(accents).toHaveLength(729);
  const faults: string[] = [];
  for (const accent of [...accents, '', 'no colour', '#fff0', '#0b62d622']) {
    for (const scheme of ['light', 'dark'] as const) {
      const colours = launcherColours(accent, scheme, () => undefined);
      const page = scheme === 'dark' ? '#14171c' : '#ffffff';
      const ink = colours['--_on-accent'];
      const isReadable =
        wcagContrast(ink, colours['--_accent']) >= 4.5 &&
        wcagContrast(ink, colours['--_accent-hover']) >= 4.5;
      if (!isReadable || wcagContrast(colours['--_accent-edge'], page) < 3)
        faults.push(`${accent} ${scheme}`);
    }
  }
  expect(faults).toEqual([]);
});

test('the launcher keeps the brand’s accent in both schemes', () => {
  expect(launcherColours('#8a1538', 'light')['--_accent']).toBe('#8a1538');
  expect(launcherColours('#8a1538', 'dark')['--_accent']).toBe('#8a1538');
});
