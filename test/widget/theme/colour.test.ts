import { expect } from '@open-wc/testing';
import { applyTheme, hostSurface } from '../../../src/widget/theme/apply-theme.ts';
import { parseColour, toHex } from '../../../src/widget/theme/colour.ts';
import { deriveTheme } from '../../../src/widget/theme/derive-theme.ts';

const hex = (value: string) => {
  const colour = parseColour(value);
  return colour && toHex(colour);
};

describe('colours of a page', () => {
  it('are parsed in every notation that the browser knows', () => {
    expect(hex('#ABC')).to.equal('#aabbcc');
    expect(hex(' #0b62d6 ')).to.equal('#0b62d6');
    expect(hex('rgb(11, 98, 214)')).to.equal('#0b62d6');
    expect(hex('rgb(100% 0% 0%)')).to.equal('#ff0000');
    expect(hex('rebeccapurple')).to.equal('#663399');
    expect(hex('hsl(120 100% 25%)')).to.equal('#008000');
    expect(hex('hwb(0 0% 0%)')).to.equal('#ff0000');
    expect(hex('color(srgb 1 0 0)')).to.equal('#ff0000');
    expect(hex('oklch(1 0 0)')).to.equal('#ffffff');
    expect(hex('oklab(0 0 0)')).to.equal('#000000');
    expect(hex('color(display-p3 1 1 1)')).to.equal('#ffffff');
    expect(hex('color-mix(in srgb, red, blue)')).to.equal('#800080');
  });

  it('are blended with the surface when translucent', () => {
    expect(hex('#0000')).to.equal('#ffffff');
    expect(hex('rgb(0 0 0 / 50%)')).to.equal('#808080');
    expect(hex('hsl(0 100% 50% / 0.5)')).to.equal('#ff8080');
  });

  it('are undefined when invalid', () => {
    const odd = [
      '',
      'nope',
      '#12',
      '#12345',
      'rgb()',
      'rgb(1,2)',
      'url(x)',
      'var(--x)',
      '"><script>',
      'red;',
      'a'.repeat(300),
    ];
    for (const value of odd) expect(parseColour(value), value).to.equal(undefined);
  });
});

describe('a theme on an element', () => {
  it('is inherited by its descendants and replaced by the next', () => {
    const element = document.createElement('div');
    const inner = document.createElement('span');
    element.append(inner);
    document.body.append(element);
    applyTheme(element, deriveTheme({ scheme: 'light', primary: 'teal' }), 'light');
    expect(getComputedStyle(inner).getPropertyValue('--_primary')).to.equal('#008080');
    expect(getComputedStyle(inner).colorScheme).to.equal('light');
    applyTheme(element, deriveTheme({ scheme: 'dark' }), 'dark');
    expect(getComputedStyle(inner).getPropertyValue('--_surface')).to.equal('#14171c');
    expect(getComputedStyle(inner).colorScheme).to.equal('dark');
    element.remove();
  });

  it('uses the surface of a page’s style sheet', () => {
    const element = document.createElement('div');
    document.body.append(element);
    element.style.setProperty('--agent-chat-surface-light', 'seashell');
    expect(hostSurface(element, 'light')).to.equal('seashell');
    expect(hostSurface(element, 'dark')).to.equal(undefined);
    const theme = deriveTheme({ scheme: 'light', surface: hostSurface(element, 'light') });
    expect(theme['--_surface']).to.equal('#fff5ee');
    element.remove();
  });
});
