import { html, nothing } from 'lit';
import { isObject } from '../../../protocol/json.ts';
import type { Strings } from '../../i18n/strings.ts';
import { formatValue } from '../format-value.ts';
import type { Fields } from '../read-item.ts';
import { withVisibleControls } from '../visible-controls.ts';
import { entrySchema, nameOfValue, readArguments, widgetOf, type Argument } from './argument-schema.ts';

/** What arguments are rendered with. */
export interface ArgumentOptions {
  readonly words: Strings;
  /** The document for references in schemas. */
  readonly root: unknown;
  /** Paths of the long values that are unfolded. */
  readonly unfolded: ReadonlySet<string>;
  readonly onUnfold: (path: string) => void;
}

/** Lists deeper than this are shown as JSON. */
const maxDepth = 5;
/** Longer values are folded, in characters and in lines. */
const foldedLength = 200;
const foldedLines = 5;
/** Characters of one value that are ever rendered. */
const maxLength = 100_000;

/** Renders arguments as names and values: plain text, never Markdown. */
export function renderArguments(shown: readonly Argument[], options: ArgumentOptions, path = ''): unknown {
  return html`<dl part="answer">
    ${shown.map(
      ({ key, label, value, schema }) =>
        html`<div class=${isObject(value) || isListOfObjects(value) ? 'nested' : ''}>
          <dt dir="auto">${withVisibleControls(label)}</dt>
          <dd>${renderValue(value, schema, options, `${path}/${key}`)}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderValue(value: unknown, schema: Fields, options: ArgumentOptions, path: string): unknown {
  const { words, root } = options;
  const depth = path.split('/').length;
  if (isObject(value) && depth < maxDepth) {
    const inner = readArguments(schema, value, root);
    return inner.length ? renderArguments(inner, options, path) : renderText('–', options, path);
  }
  if (Array.isArray(value) && depth < maxDepth) {
    const entry = entrySchema(schema, root);
    if (!value.length) return renderText('–', options, path);
    return html`<ul>
      ${value.map(
        (inner: unknown, index) => html`<li>${renderValue(inner, entry, options, `${path}/${index}`)}</li>`,
      )}
    </ul>`;
  }
  if (typeof value === 'object' && value !== null)
    return renderText(JSON.stringify(value, null, 2), options, path);
  if (value === null || value === undefined || value === '') return renderText('–', options, path);
  if (typeof value === 'boolean') return renderText(words.t(value ? 'form.yes' : 'form.no'), options, path);
  if (schema['format'] === 'password') return renderText('••••••', options, path);
  const plain = String(value as string | number); // what is left of JSON
  const formatted =
    nameOfValue(schema, value) || formatValue({ widget: widgetOf(schema, value), value }, words.locale);
  return renderText(formatted ?? plain, options, path);
}

function renderText(shown: string, { words, unfolded, onUnfold }: ArgumentOptions, path: string): unknown {
  const visible = withVisibleControls(shown.slice(0, maxLength)) + (shown.length > maxLength ? '…' : '');
  const isLong = visible.length > foldedLength || visible.split('\n').length > foldedLines;
  const isFolded = isLong && !unfolded.has(path);
  return html`<span class="value ${isFolded ? 'folded' : ''}" dir="auto">${visible}</span>${
      isFolded
        ? html`<button class="link more" type="button" @click=${() => onUnfold(path)}>
            ${words.t('decision.show-all')}
          </button>`
        : nothing
    }`;
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry !== null);
}
