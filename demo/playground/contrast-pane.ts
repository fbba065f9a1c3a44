import { html, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { contrastRatio } from './colour.ts';
import { pairs, type Pair } from './contrast-pairs.ts';
import { PlaygroundElement } from './playground-element.ts';

interface Row extends Pair {
  readonly frontColour: string;
  readonly backColour: string;
  readonly ratio: number;
}

/** The contrast of every pair of colours in the preview, lowest first. */
export class ContrastPane extends PlaygroundElement {
  @property({ attribute: false }) preview: HTMLElement | undefined;
  @state() private rows: readonly Row[] = [];
  #frame = 0;
  #retry = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#retry);
  }

  override updated(): void {
    cancelAnimationFrame(this.#frame);
    // the preview applies its colours one frame after its settings
    this.#frame = requestAnimationFrame(() => requestAnimationFrame(() => this.measure()));
  }

  /** Reads the current colours and computes their contrast. */
  measure(): void {
    const themed = this.preview && findThemed(this.preview);
    clearTimeout(this.#retry);
    if (!themed) {
      this.#retry = window.setTimeout(() => this.measure(), 400);
      return;
    }
    const style = getComputedStyle(themed);
    const colour = (name: string) => style.getPropertyValue(`--_${name}`).trim();
    const rows = pairs.map((pair) => {
      const [frontColour, backColour] = [colour(pair.front), colour(pair.back)];
      return { ...pair, frontColour, backColour, ratio: contrastRatio(frontColour, backColour) };
    });
    const before = this.rows.map((row) => row.frontColour + row.backColour).join();
    if (rows.map((row) => row.frontColour + row.backColour).join() === before) return;
    this.rows = rows.sort((a, b) => a.ratio / needed(a) - b.ratio / needed(b));
  }

  override render(): unknown {
    const failed = this.rows.filter((row) => row.ratio < needed(row)).length;
    return html`
      <div class="pane-head">
        <h2>Contrast</h2>
        <button class="button small" type="button" @click=${() => this.measure()}>Measure again</button>
      </div>
      ${
        this.rows.length === 0
          ? html`<p class="note">Open the chat once: the colours are read from the running widget.</p>`
          : html`<p class="notice ${failed > 0 ? 'bad' : 'good'}" aria-live="polite">
                ${
                  failed > 0
                    ? `${failed} of ${this.rows.length} pairs are too weak.`
                    : `All ${this.rows.length} pairs reach 4.5:1 for text, 3:1 for parts.`
                }
              </p>
              <table class="pairs">
                <thead>
                  <tr>
                    <th scope="col">Pair</th>
                    <th scope="col">Where</th>
                    <th scope="col">Ratio</th>
                  </tr>
                </thead>
                <tbody>
                  ${this.rows.map((row) => renderRow(row))}
                </tbody>
              </table>`
      }
    `;
  }
}

function renderRow(row: Row): TemplateResult {
  const sample =
    row.kind === 'text'
      ? svg`<text x="18" y="16" text-anchor="middle" fill=${row.frontColour}>Aa</text>`
      : svg`<circle cx="18" cy="12" r="6" fill="none" stroke-width="2" stroke=${row.frontColour} />`;
  return html`<tr>
    <td>
      <div>
        <svg class="sample" viewBox="0 0 36 24" aria-hidden="true">
          <rect width="36" height="24" rx="6" fill=${row.backColour} />
          ${sample}
        </svg>
        <span><code>${row.front}</code> on <code>${row.back}</code></span>
      </div>
    </td>
    <td>${row.where}</td>
    <td class=${row.ratio < needed(row) ? 'bad' : ''}>${row.ratio.toFixed(1)} : 1</td>
  </tr>`;
}

function needed(pair: Pair): number {
  return pair.kind === 'text' ? 4.5 : 3;
}

/** The element in the widget that carries the theme. */
function findThemed(root: Element): Element | undefined {
  for (const element of root.shadowRoot?.querySelectorAll('*') ?? []) {
    if (element instanceof HTMLElement && element.style.getPropertyValue('--_surface')) return element;
    const inside = findThemed(element);
    if (inside) return inside;
  }
  return undefined;
}
ContrastPane.register('playground-contrast');
