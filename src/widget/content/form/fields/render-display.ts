import { html, nothing } from 'lit';
import { isObject } from '../../../../protocol/json.ts';
import { formatKey, formatList } from '../../format-value.ts';
import { fileName, renderDataList } from '../answer-list.ts';
import { renderExternalLink, withRealHost } from '../../content-templates.ts';
import { renderItem } from '../../render-item.ts';
import { safeLinkUrl } from '../../../platform/url-policy.ts';
import type { FormControls } from '../form-controls.ts';
import { formatConstant } from '../format-constant.ts';
import type { Choice, ValueField } from '../form-model.ts';
import { isEqual, own, ownList, ownObject, ownText } from '../schema/json.ts';

/** Renders read-only content of a form: data, lists, tables, downloads. */
export function renderDisplay(field: ValueField, controls: FormControls): unknown {
  const value = field.value ?? own(field.schema, 'const') ?? own(field.schema, 'default');
  const shown = parsed(value);
  if (field.widget === 'bullet-list') return renderBullets(shown);
  if (field.widget === 'file-download') return renderFiles(shown, controls);
  if (field.widget === 'table' || field.widget === 'editable-table')
    return renderTable(field, shown, controls);
  return renderData(shown, controls);
}

/** Renders a read-only value as text. */
export function renderValue(value: unknown, choices: readonly Choice[], controls: FormControls): unknown {
  const { words } = controls.context;
  if (value === undefined || value === null || value === '') return words.t('form.empty');
  if (Array.isArray(value) && value.every((entry) => !isObject(entry))) {
    const names = value.map((entry) => nameOfChoice(entry, choices));
    return formatList(names, words.locale) || words.t('form.empty');
  }
  if (typeof value === 'boolean' && !choices.length) return words.t(value ? 'form.yes' : 'form.no');
  if (typeof value === 'object') return renderData(value, controls);
  return html`<span class="given">${nameOfChoice(value, choices)}</span>`;
}

function nameOfChoice(value: unknown, choices: readonly Choice[]): string {
  const label = choices.find((choice) => isEqual(choice.value, value))?.label;
  if (label !== undefined) return label;
  return typeof value === 'string' && value.startsWith('data:') ? fileName(value) : spellOut(value);
}

function spellOut(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 20_000) : formatConstant(value);
}

function renderData(value: unknown, controls: FormControls): unknown {
  if (value === undefined || value === null) return nothing;
  const { words } = controls.context;
  if (typeof value === 'object') return renderDataList(value, words);
  const shown = typeof value === 'boolean' ? words.t(value ? 'form.yes' : 'form.no') : spellOut(value);
  return html`<span class="given" dir="auto">${shown}</span>`;
}

function renderBullets(value: unknown): unknown {
  const lines = Array.isArray(value) ? value : typeof value === 'string' ? value.split('\n') : [];
  return html`<ul class="bullets">
    ${lines.slice(0, 500).map((line) => html`<li><bdi>${isObject(line) ? formatConstant(own(line, 'label') ?? own(line, 'text') ?? line) : spellOut(line)}</bdi></li>`)}
  </ul>`;
}

function renderFiles(value: unknown, controls: FormControls): unknown {
  const files = (Array.isArray(value) ? value : [value]).map((file) => ({
    url: isObject(file) ? (own(file, 'url') ?? own(file, 'href')) : file,
    name: isObject(file) ? (ownText(file, 'fileName') ?? ownText(file, 'name') ?? '') : '',
  }));
  return html`<ul class="bullets">
    ${files.slice(0, 100).map(({ url, name }) => html`<li>${renderExternalLink(controls.context.words, url, withRealHost(name, url) || formatConstant(safeLinkUrl(url)?.pathname.split('/').at(-1) || url))}</li>`)}
  </ul>`;
}

function renderTable(field: ValueField, value: unknown, controls: FormControls): unknown {
  const rows = (Array.isArray(value) ? value : ownList(value, 'rows')).slice(0, 2000);
  const properties = ownObject(own(field.schema, 'items'), 'properties');
  const keys = Object.keys(properties).length
    ? Object.keys(properties)
    : Object.keys(isObject(rows[0]) ? rows[0] : {});
  const headers = keys.map((key) => ownText(properties[key], 'title') ?? formatKey(key));
  const cells = rows.map((row) => ({
    cells: Array.isArray(row) ? row : keys.length ? keys.map((key) => own(row, key)) : [row],
  }));
  return renderItem(
    { id: `table${field.pointer}`, type: 'table', text: '', source: { headers, rows: cells } },
    { ...controls.context, answer: undefined },
  );
}

/** Parses data that was sent as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > 200_000) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
