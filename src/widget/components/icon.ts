import { html, type SVGTemplateResult, type TemplateResult } from 'lit';

/** An icon in its frame; decorative, its button carries the name. */
export function icon(shape: SVGTemplateResult, directional = ''): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" class=${directional}>${shape}</svg>`;
}
