import { expect } from '@open-wc/testing';
import { wcagContrast } from 'culori';
import { LitElement, html, unsafeCSS } from 'lit';
import { contentStyles } from '../../../src/widget/content/content.styles.ts';
import { applyTheme } from '../../../src/widget/theme/apply-theme.ts';
import { deriveTheme, type Scheme } from '../../../src/widget/theme/derive-theme.ts';
import { fieldStyles } from '../../../src/widget/theme/field.styles.ts';
import { sharedStyles } from '../../../src/widget/theme/shared.styles.ts';
import { tokenStyles } from '../../../src/widget/theme/tokens.styles.ts';
import { sample } from '../../tools/quick.ts';

/** The shared sheets with a class in place of `:hover`. */
const pointedStyles = [sharedStyles, fieldStyles, contentStyles].map(({ cssText }) =>
  unsafeCSS(cssText.replaceAll(':hover', '.pointed')),
);

/** Every base class of the shared sheets in every state that markup can set. */
class Specimens extends LitElement {
  static override styles = [tokenStyles, ...pointedStyles];
  override render(): unknown {
    return html`
      <button class="button">Text</button>
      <button class="button" disabled>Text</button>
      <button class="button main">Text</button>
      <button class="button main" aria-disabled="true">Text</button>
      <button class="button quiet">Text</button>
      <button class="button bad">Text</button>
      <button class="icon-button">Text</button>
      <button class="icon-button main">Text</button>
      <button class="icon-button" disabled>Text</button>
      <button class="icon-button small" aria-pressed="true">Text</button>
      <button class="icon-button" aria-expanded="true">Text</button>
      <input class="field" value="Text" />
      <input class="field" value="Text" disabled />
      <input class="field" value="Text" aria-invalid="true" />
      <a class="link" href="#a">Text</a>
    `;
  }
}
customElements.define('theme-specimens', Specimens);

/** 130 triples of colours, the same in every run. The pairs of tokens are tested with more, without a page. */
function triples(): (readonly [string, string, string])[] {
  let state = 11;
  const any = () => {
    state = (state * 16807) % 2147483647;
    return `#${(state % 0x1000000).toString(16).padStart(6, '0')}`;
  };
  return Array.from({ length: 130 }, () => [any(), any(), any()] as const);
}

describe('the shared controls with any brand', () => {
  for (const scheme of ['light', 'dark'] as const satisfies Scheme[]) {
    it(`are readable in the ${scheme} scheme, in every state`, async function () {
      this.timeout(60_000);
      const element = new Specimens();
      document.body.append(element);
      await element.updateComplete;
      const specimens = [...(element.shadowRoot?.children ?? [])].filter(
        (child) => child.localName !== 'style',
      );
      const sheet = new CSSStyleSheet();
      // only the final colours matter here
      sheet.replaceSync('* { transition: none !important }');
      element.shadowRoot?.adoptedStyleSheets.push(sheet);
      const faults: string[] = [];
      let measured = 0;
      const some = sample(triples());
      for (const [primary, second, accent] of some) {
        const theme = deriveTheme({ scheme, primary, second, accent });
        applyTheme(element, theme, scheme);
        for (const [specimen, isPointed] of specimens.flatMap((one) => [
          [one, false] as const,
          [one, true] as const,
        ])) {
          specimen.classList.toggle('pointed', isPointed);
          const { color, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(specimen);
          const ground = backgroundColor === 'rgba(0, 0, 0, 0)' ? theme['--_surface'] : backgroundColor;
          measured += 1;
          const label = `${primary} ${second} ${accent} ${specimen.outerHTML}`;
          if (wcagContrast(color, ground) < 4.5) faults.push(`text of ${label}`);
          const isOff = specimen.matches(':disabled, [aria-disabled]');
          const drawsBorder = borderTopWidth !== '0px' && borderTopColor !== 'rgba(0, 0, 0, 0)';
          if (!isOff && drawsBorder && wcagContrast(borderTopColor, theme['--_surface']) < 3) {
            faults.push(`border of ${label}`);
          }
        }
      }
      element.remove();
      expect(measured).to.equal(some.length * 15 * 2);
      expect(faults).to.deep.equal([]);
    });
  }
});
