import { html, nothing } from 'lit';
import type { Strings } from '../../i18n/strings.ts';
import { asObject, firstText, text, type Fields } from '../read-item.ts';
import { withVisibleControls } from '../visible-controls.ts';

/** What will be done, for people. */
export function toolTitle(fields: Fields): string {
  const tool = asObject(fields['tool']);
  return withVisibleControls(firstText(fields['name'], tool['title'], tool['name']));
}

/** Name of the system that the tool acts on; `''`: unknown. */
export function serverName(fields: Fields): string {
  return withVisibleControls(firstText(asObject(fields['tool'])['server']));
}

/** Renders the lines below the title: the system, and while the decision is open, what the tool says of itself. */
export function renderTool(
  fields: Fields,
  { isOpen, title, words }: { readonly isOpen: boolean; readonly title: string; readonly words: Strings },
): unknown {
  const { description, read_only: readsOnly } = asObject(fields['tool']);
  const name = serverName(fields);
  const about = text(description, 300);
  const line = (words: string): unknown =>
    html`<p class="description clamped" part="item-description" dir="auto">${words}</p>`;
  return html`${name ? line(words.t('decision.system', { name })) : nothing}${
    isOpen && about.trim() && about !== title ? line(withVisibleControls(about)) : nothing
  }${isOpen && name && readsOnly === true ? line(words.t('decision.reads', { name })) : nothing}`;
}
