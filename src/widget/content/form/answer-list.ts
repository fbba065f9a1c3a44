import { html, nothing } from 'lit';
import { isObject } from '../../../protocol/json.ts';
import type { Strings } from '../../i18n/strings.ts';
import { text } from '../read-item.ts';
import { formatIsoDates, formatKey, formatList } from '../format-value.ts';

const maxDepth = 8;
const maxEntries = 200;

/** Renders data as a readable list of names and values, without a schema. Entries of a list are numbered. */
export function renderDataList(data: object, words: Strings, depth = 0): unknown {
  const named = Array.isArray(data)
    ? data.map((value, index) => [String(index + 1), value] as const)
    : Object.entries(data);
  const entries = named.slice(0, maxEntries);
  if (!entries.length) return nothing;
  return html`<dl part="answer">
    ${entries.map(
      ([key, value]) =>
        html`<div>
          <dt dir="auto">${formatKey(key)}</dt>
          <dd dir="auto">${renderValue(value, words, depth)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders a value of unknown shape. */
function renderValue(value: unknown, words: Strings, depth: number): unknown {
  if (typeof value === 'boolean') return words.t(value ? 'form.yes' : 'form.no');
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxEntries);
    if (shown.every((entry) => !isObject(entry) && !Array.isArray(entry)))
      return formatList(
        shown.map((entry) => spell(text(entry), words)),
        words.locale,
      );
  }
  if (typeof value === 'object' && value !== null)
    return depth < maxDepth ? renderDataList(value, words, depth + 1) : '…';
  const shown = text(value, 5000);
  return html`<span class="given"
    >${shown.startsWith('data:') ? fileName(shown) : spell(shown, words) || words.t('form.empty')}</span
  >`;
}

function spell(shown: string, { locale }: Strings): string {
  return formatIsoDates(shown, locale) ?? shown;
}

/** Returns the file name inside a data URL, or its media type. */
export function fileName(dataUrl: string): string {
  const head = dataUrl.slice(5, 600).split(',', 1)[0] ?? '';
  const named = /;name=([^;]+)/.exec(head)?.[1];
  if (!named) return head.split(';', 1)[0] ?? '';
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}
