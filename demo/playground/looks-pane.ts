import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { AgentChat } from 'agent-chat';
import { fields } from './fields.ts';
import { looks, type Look } from './looks.ts';
import { PlaygroundElement } from './playground-element.ts';

/** Complete looks to start from, each drawn small. */
export class LooksPane extends PlaygroundElement {
  @property({ attribute: false }) preview: AgentChat | undefined;

  override render(): unknown {
    return html`
      <div class="pane-head"><h2 id="looks-title">Looks</h2></div>
      <div class="looks" role="group" aria-labelledby="looks-title">
        ${looks.map((look) => this.renderLook(look))}
      </div>
    `;
  }

  private renderLook(look: Look): TemplateResult {
    return html`
      <button
        class="look"
        type="button"
        aria-pressed=${this.settings?.matches(look) ?? false}
        @click=${() => this.#apply(look)}
      >
        ${drawing(look)} ${look.name}
      </button>
    `;
  }

  #apply(look: Look): void {
    this.settings?.applyLook(look);
    // the preview has to be seen
    this.preview?.setAttribute('open', '');
  }
}

const panelCorners: Readonly<Record<string, number>> = { sharp: 0, crisp: 4, soft: 7, round: 12 };
const blockCorners: Readonly<Record<string, number>> = { sharp: 0, crisp: 2, soft: 4, round: 6 };

/** A panel in the look's colours, corners and density. */
function drawing({ name, settings }: Look): SVGTemplateResult {
  const value = (name: string) =>
    settings[name] ?? fields.find((field) => field.attribute === name)?.initial ?? '';
  const clip = `look-${name}`;
  const isDark = settings['theme'] === 'dark';
  const [surface, ink] = isDark ? ['#14171c', '#e8ebef'] : ['#ffffff', '#16191d'];
  const panel = panelCorners[settings['corners'] ?? 'soft'];
  const block = blockCorners[settings['corners'] ?? 'soft'];
  const header = settings['header-style'] === 'tall' ? 24 : 19;
  const step = { compact: 6, airy: 9 }[settings['density'] ?? ''] ?? 7.5;
  const question = header + step;
  const answer = question + 12 + step;
  const line = (at: number, width: number) =>
    svg`<rect x="10" y=${answer + at * step} width=${width} height="3" rx="1.5" fill=${ink} opacity="0.55" />`;
  return svg`<svg viewBox="0 0 96 76" aria-hidden="true">
    <clipPath id=${clip}><rect x="1" y="1" width="94" height="74" rx=${panel} /></clipPath>
    <g clip-path="url(#${clip})">
      <rect x="1" y="1" width="94" height="74" fill=${surface} />
      <rect x="1" y="1" width="94" height=${header} fill=${value('primary-color')} />
      ${settings['header-style'] === 'line' ? svg`<rect x="1" y="1" width="94" height="3" fill=${value('accent-color')} />` : nothing}
      <image href=${value('logo')} x="8" y=${header / 2 - 4.5} width="11" height="11" />
      <rect x="42" y=${question} width="44" height="12" rx=${block} fill=${value('second-color')} />
      ${line(0, 62)} ${line(1, 56)} ${step < 8 ? line(2, 38) : nothing}
      <rect x="76" y="61" width="11" height="11" rx=${block} fill=${value('accent-color')} />
    </g>
    <rect class="edge" x="1" y="1" width="94" height="74" rx=${panel} fill="none" />
  </svg>`;
}

LooksPane.register('playground-looks');
