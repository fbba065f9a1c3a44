import { html, type TemplateResult } from 'lit';

/**
 * Renders a decorative icon; its button has the accessible name.
 * @param path from `icons.ts`, `late-icons.ts` or `item-icons.ts`
 */
export function icon(path: string, kind: '' | 'directional' | 'filled' = ''): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" class=${kind}><path d=${path}></path></svg>`;
}
