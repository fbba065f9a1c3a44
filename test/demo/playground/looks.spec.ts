import { expect, test } from '@playwright/test';
import { existsSync } from 'node:fs';
import { fields } from '../../../demo/playground/fields.ts';
import { lookCss, lookFields } from '../../../demo/playground/look-fields.ts';
import { looks, lookSettings } from '../../../demo/playground/looks.ts';
import { partDescriptions } from '../../../src/widget/theme/part-descriptions.ts';
import { publicTokens } from '../../../src/widget/theme/tokens.ts';

test('each of the six looks sets known values, and a logo that is there', () => {
  expect(looks).toHaveLength(6);
  const known = new Map([...fields, ...lookFields].map((field) => [field.attribute, field]));
  for (const { name, settings } of looks) {
    for (const [setting, value] of Object.entries(settings)) {
      const field = known.get(setting);
      expect(field, `${name}: ${setting}`).toBeDefined();
      if (field?.options) expect(field.options, name).toContain(value);
      // or the next look would not take it back
      if (setting !== 'heading') expect(lookSettings, name).toContain(setting);
    }
    expect(existsSync(`demo/public${settings['logo']}`), name).toBe(true);
  }
});

test('the CSS of a look uses only public tokens and parts', () => {
  const tokens = new Set<string>(publicTokens.map((token) => token.name));
  for (const { attribute, options = [] } of lookFields) {
    for (const option of options) {
      if (option === 'line') continue; // contains the accent colour, which needs a browser
      const css = lookCss((name) => (name === attribute ? option : ''));
      for (const [, token = ''] of css.matchAll(/(--[\w-]+):/g)) expect(tokens, option).toContain(token);
      for (const [, part = ''] of css.matchAll(/::part\(([\w-]+)\)/g))
        expect(Object.keys(partDescriptions), option).toContain(part);
    }
  }
});

test('the widget’s own look needs no CSS, and a value that is not offered gives none', () => {
  const initial = new Map(lookFields.map((field) => [field.attribute, field.initial]));
  expect(lookCss((name) => initial.get(name) ?? '')).toBe('');
  for (const odd of ['constructor', '__proto__', '} body { display: none }', ''])
    expect(lookCss(() => odd)).toBe('');
});

test('the CSS of a look is one rule for each selector', () => {
  const kiln = looks.find(({ name }) => name === 'Kiln')?.settings ?? {};
  expect(lookCss((name) => kiln[name] ?? '')).toBe(
    [
      'agent-chat {',
      "  --agent-chat-font: 'Iowan Old Style', 'Palatino Linotype', Palatino, P052, Georgia, serif;",
      '  --agent-chat-header-height: 76px;',
      '  --agent-chat-radius-panel: 8px;',
      '  --agent-chat-radius-message: 8px;',
      '  --agent-chat-radius-control: 8px;',
      '  --agent-chat-radius: 6px;',
      '  --agent-chat-space: 5px;',
      '  --agent-chat-size: 16px;',
      '  --agent-chat-line-height: 1.65;',
      '}',
      'agent-chat::part(header-name) {',
      '  font-size: 1.2em;',
      '  letter-spacing: -0.01em;',
      '}',
    ].join('\n'),
  );
});
