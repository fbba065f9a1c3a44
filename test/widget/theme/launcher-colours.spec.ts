import { expect, test } from '@playwright/test';
import { deriveTheme } from '../../../src/widget/theme/derive-theme.ts';
import { launcherColours } from '../../../src/widget/theme/launcher-colours.ts';
import { expectSame } from '../../tools/expect-same.ts';
import { isLauncherVisible, sampleAccents } from '../../tools/launcher-contrast.ts';
import { sample } from '../../tools/quick.ts';

test('the launcher’s icon is readable on any accent, and its edge is visible on light and dark pages', () => {
  expect(sampleAccents).toHaveLength(729);
  const faults: string[] = [];
  for (const accent of [...sampleAccents, '', 'no colour', '#fff0', '#0b62d622']) {
    for (const scheme of ['light', 'dark'] as const) {
      const colours = launcherColours(accent, scheme, () => undefined);
      if (!isLauncherVisible(colours, scheme)) faults.push(`${accent} ${scheme}`);
    }
  }
  expect(faults).toEqual([]);
});

test('the launcher keeps the brand’s accent in both schemes', () => {
  expect(launcherColours('#8a1538', 'light')['--_accent']).toBe('#8a1538');
  expect(launcherColours('#8a1538', 'dark')['--_accent']).toBe('#8a1538');
});

test('launcher and Send have the same fill and icon', () => {
  for (const accent of [...sample(sampleAccents), '#ff0000', '#1877f2', '#e5484d'])
    for (const scheme of ['light', 'dark'] as const)
      expectSame(
        launcherColours(accent, scheme)['--_accent'],
        deriveTheme({ scheme, accent })['--_accent'],
        accent,
      );
});
