import { html, type TemplateResult } from 'lit';

/**
 * An icon; decorative, its button carries the name.
 * @param path as `icons.ts`, `late-icons.ts` and `item-icons.ts` have it
 */
export function icon(path: string, kind: '' | 'directional' | 'filled' = ''): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" class=${kind}><path d=${path}></path></svg>`;
}
