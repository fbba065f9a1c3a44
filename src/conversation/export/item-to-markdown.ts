import type { ConversationItem } from '../conversation.ts';
import { isFields, listOf, textOf } from '../read-values.ts';
import { readItem, sourcesOf } from '../items.ts';
import { tableCells } from './table-cells.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Cards in cards in cards: deeper is a mistake or an attack. */
const deepest = 6;

/**
 * A content item as Markdown, for the clipboard and for files: what a visitor could read of it. `''` for what says
 * nothing in words.
 */
export function itemMarkdown(item: ConversationItem, depth = 0): string {
  if (item.text) return item.text;
  const { type, source } = item;
  const heading = [bold(word(source['title'])), word(source['description'])];
  switch (type) {
    case 'conversational_search':
      return lines([textOf(source['text']), ...sourcesCited(source)]);
    case 'option':
      return lines([...heading, bullets(listOf(source['options']).map(labelOf))]);
    case 'table':
      return lines([...heading, table(source)]);
    case 'card':
      return lines([...heading, inside(source['body'], depth), inside(source['footer'], depth)]);
    case 'carousel':
      return lines([...heading, inside(source['items'], depth)]);
    case 'grid':
      return lines([...heading, ...listOf(source['rows']).map((row) => gridRow(row, depth))]);
    case 'image':
      return image(first(source, 'alt_text', 'title', 'description'), addressOf(source));
    case 'video':
    case 'audio':
    case 'iframe':
      return lines([link(first(source, 'title', 'alt_text', 'description') || type, addressOf(source))]);
    case 'button':
      return link(first(source, 'label', 'title', 'text'), word(source['url']));
    case 'file_download':
      return lines([...heading, bullets(listOf(source['files']).map(fileOf))]);
    case 'form':
    case 'forms':
      return bold(first(source, 'title', 'name') || word(fields(source['json_schema'])['title']));
    case 'pause':
    case 'form_operation':
      return '';
    case 'user_defined':
      return readable({ ...source, ...fields(source['user_defined']) });
    default:
      return readable(source);
  }
}

/** What people write for people, whatever the item is. */
function readable(source: Fields): string {
  return lines([
    bold(first(source, 'title', 'label', 'name')),
    word(source['description']),
    word(source['text']),
    first(source, 'connection_message', 'message', 'message_to_user'),
  ]);
}

function inside(content: unknown, depth: number): string {
  if (depth >= deepest) return '';
  return lines(
    sourcesOf(content).map((source) => {
      const item = readItem(source, '');
      const isCard = item.type === 'unknown' && source['body'] != null;
      return itemMarkdown(isCard ? { ...item, type: 'card' } : item, depth + 1);
    }),
  );
}

function gridRow(row: unknown, depth: number): string {
  const cells = listOf(Array.isArray(row) ? row : fields(row)['cells']);
  return cells
    .map((cell) => inside(fields(cell)['items'] ?? cell, depth))
    .filter(Boolean)
    .join('\n\n');
}

function table(source: Fields): string {
  const cells = tableCells(source);
  const rows = cells.rows.map((row) => row.map(cellOf));
  const headers = cells.headers.map(cellOf);
  const width = Math.max(headers.length, ...rows.map((row) => row.length), 0);
  if (width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${[...Array(width).keys()].map((column) => cells[column] ?? '').join(' | ')} |`;
  return [line(headers), line(Array<string>(width).fill('---')), ...rows.map(line)].join('\n');
}

function cellOf(cell: unknown): string {
  const words = isFields(cell)
    ? first(cell, 'text', 'value', 'label', 'title', 'header', 'name')
    : word(cell);
  return words.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

function sourcesCited(source: Fields): readonly string[] {
  const results = listOf(source['search_results']);
  const cited = listOf(source['citations']);
  const sources = (cited.length > 0 ? cited : results).map((entry, place) => {
    const { url, search_result_idx: at, search_result_index: other } = fields(entry);
    const result = fields(cited.length > 0 ? results[Number(at ?? other)] : undefined);
    const title = first(fields(entry), 'title') || first(result, 'title');
    return `${place + 1}. ${link(title || word(url), word(url) || word(result['url']))}`;
  });
  return sources.length === 0 ? [] : [sources.join('\n')];
}

function labelOf(option: unknown): string {
  return isFields(option) ? first(option, 'label', 'text', 'title', 'name', 'value') : word(option);
}

function fileOf(file: unknown): string {
  if (!isFields(file)) return word(file);
  return link(first(file, 'fileName', 'file_name', 'name'), word(file['url']));
}

function addressOf({ source, url }: Fields): string {
  const address = word(source) || word(fields(source)['url']) || word(url);
  return address.startsWith('data:') ? '' : address;
}

function link(label: string, address: string): string {
  return address === '' ? label : `[${label || address}](${address})`;
}

/** One that travels inside the message leaves its description. */
function image(label: string, address: string): string {
  return address === '' ? label : `![${label}](${address})`;
}

function bold(text: string): string {
  return text && `**${text}**`;
}

function bullets(entries: readonly string[]): string {
  return entries
    .filter(Boolean)
    .map((entry) => `- ${entry}`)
    .join('\n');
}

function lines(parts: readonly string[]): string {
  return parts.filter(Boolean).join('\n\n');
}

function first(source: Fields, ...keys: readonly string[]): string {
  return keys.map((key) => word(source[key])).find(Boolean) ?? '';
}

function word(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : typeof value === 'string'
      ? value.trim()
      : '';
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
