import { converter, formatHex, parse, type Rgb } from 'culori';
import type { CSSResult } from 'lit';
import { agentChatStyles } from '../../../src/widget/element/agent-chat.styles.ts';
import {
  derivedColourStyles,
  layoutColours,
  registerColours,
} from '../../../src/widget/theme/derived-colours.styles.ts';
import type { Scheme } from '../../../src/widget/theme/derive-theme.ts';
import { paletteStyles } from '../../../src/widget/theme/palette.styles.ts';
import { colourTokens, type ColourToken } from '../../../src/widget/theme/tokens.ts';
import type { BrandColours } from '../../tools/brand-colours.ts';

const tokens = Object.keys(colourTokens) as ColourToken[];
const toRgb = converter('rgb');

/** The panel's style sheets inside the launcher's layer, with an element of each colour. */
export class PanelSheet {
  readonly panel = document.createElement('div');
  readonly #host = document.body.appendChild(document.createElement('div'));
  readonly #layer = document.createElement('div');
  readonly #probes: readonly CSSStyleDeclaration[];

  constructor() {
    registerColours();
    const root = this.#host.attachShadow({ mode: 'open' });
    adopt(root, [agentChatStyles]);
    this.#layer.className = 'layer custom';
    root.append(this.#layer);
    this.#layer.append(this.panel);
    const inner = this.panel.attachShadow({ mode: 'open' });
    adopt(inner, [paletteStyles, derivedColourStyles]);
    this.#probes = tokens.map((token) => {
      const probe = inner.appendChild(document.createElement('i'));
      probe.style.color = `var(${token})`;
      return getComputedStyle(probe);
    });
  }

  /** What the sheets derive from the page's colours. */
  read({ primary, second, accent }: BrandColours, scheme: Scheme): Record<ColourToken, string> {
    this.#layer.style.colorScheme = scheme;
    this.#layer.style.setProperty('--_host-accent', accent);
    this.panel.style.setProperty(layoutColours.primary, primary);
    this.panel.style.setProperty(layoutColours.second, second);
    const rows = this.#probes.map(({ color }, at) => [tokens[at], shown(color)]);
    return Object.fromEntries(rows) as Record<ColourToken, string>; // has a value for each token
  }

  remove(): void {
    this.#host.remove();
  }
}

function adopt(root: ShadowRoot, sheets: readonly CSSResult[]): void {
  root.adoptedStyleSheets = sheets.flatMap(({ styleSheet }) => styleSheet ?? []);
}

/** The colour as a screen of sRGB shows it; one that is not opaque as it is. */
function shown(colour: string): string {
  const parsed: Rgb | undefined = toRgb(parse(colour));
  if (!parsed) throw new Error(`${colour} is no colour`);
  return (parsed.alpha ?? 1) < 1 ? colour : formatHex(parsed);
}
