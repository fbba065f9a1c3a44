import { isObject } from '../../protocol/json.ts';
import type { ConversationItem, ItemAnswer } from '../conversation.ts';
import { withoutPasswords } from '../form-schema.ts';
import { answerMarkdown, dataMarkdown } from './data-to-markdown.ts';
import { listOf, readText } from '../read-values.ts';
import { readItem, sourcesOf } from '../items.ts';
import { tableCells } from './table-cells.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum nesting of cards. */
const maxDepth = 6;

/** Fields that are not exported. */
const omittedFields: ReadonlySet<string> = new Set(
  'id response_type sub_type event_type dps_payload_id debug user_defined title description name label text'.split(
    ' ',
  ),
);

/** What a decision came to, by its state. */
const outcomes: Readonly<Record<string, string>> = {
  asked: 'Not decided yet',
  approved: 'Approved',
  running: 'Approved',
  done: 'Approved',
  failed: 'Approved, but it failed',
  unknown: 'Approved; whether it happened is unknown',
  declined: 'Declined',
  expired: 'Not decided in time',
};

interface Within {
  /** Nesting depth in cards and grids. */
  readonly depth?: number;
  /** Answers to forms, by the id of the item. */
  readonly answers?: Readonly<Record<string, ItemAnswer>>;
}

/**
 * Converts a content item to Markdown, for the clipboard and for files: its visible text, and the visitor's answer.
 * Returns `''` when it has no text.
 */
export function itemMarkdown(item: ConversationItem, within: Within = {}): string {
  if (item.text) return item.text;
  const { type, source } = item;
  const heading = [bold(word(source['title'])), word(source['description'])];
  switch (type) {
    case 'conversational_search':
      return lines([readText(source['text']), ...sourcesCited(source)]);
    case 'option':
      return lines([...heading, bullets(listOf(source['options']).map(labelOf))]);
    case 'table':
      return lines([...heading, table(source)]);
    case 'card':
      return lines([...heading, inside(source['body'], within), inside(source['footer'], within)]);
    case 'carousel':
      return lines([...heading, inside(source['items'], within)]);
    case 'grid':
      return lines([...heading, ...listOf(source['rows']).map((row) => gridRow(row, within))]);
    case 'image':
      return lines([
        image(first(source, 'alt_text', 'title', 'description'), addressOf(source)),
        ...titlesExcept(source, first(source, 'alt_text', 'title', 'description')),
      ]);
    case 'video':
    case 'audio':
    case 'iframe':
      return lines([
        link(first(source, 'title', 'alt_text', 'description') || type, addressOf(source)),
        ...titlesExcept(source, first(source, 'title', 'alt_text', 'description')),
      ]);
    case 'button':
      return link(first(source, 'label', 'title', 'text'), word(source['url']));
    case 'file_download':
      return lines([...heading, bullets(listOf(source['files']).map(fileOf))]);
    case 'form':
    case 'forms':
      return form(item, within);
    case 'pause':
    case 'form_operation':
      return '';
    case 'connect_to_agent':
      return lines([
        bold(word(source['title'])),
        message(source['agent_available']) || message(source['agent_unavailable']) || messageToPerson(source),
      ]);
    case 'user_defined':
      if (fields(source['user_defined'])['type'] === 'page_tool_call')
        return pageToolCall(fields(source['user_defined']));
      return openItem(
        typeof source['user_defined'] === 'string'
          ? { ...source, text: source['user_defined'] }
          : { ...source, ...fields(source['user_defined']) },
      );
    case 'text':
    case 'date':
    case 'system':
    case 'inline_error':
    case 'file_upload':
      return readable(source);
    default:
      return openItem(source);
  }
}

function form(item: ConversationItem, { answers = {} }: Within): string {
  const { source } = item;
  const schema = fields(source['json_schema']);
  const answer = answers[item.id];
  return lines([
    bold(word(source['title']) || word(schema['title']) || word(source['name'])),
    word(source['description']) || word(schema['description']),
    source['sub_type'] === 'tool_approval' ? decision(item, answer) : answerMarkdown(item, answer),
  ]);
}

/**
 * What was decided on a tool's call: by the service's word, else by the visitor's answer here. Passwords are masked.
 */
export function decisionOf(source: Fields, answer: ItemAnswer | undefined): Fields {
  const stored = fields(source['decision']);
  const isDeclined = answer?.action === 'cancel';
  const decidedHere = answer && (isDeclined ? 'declined' : 'approved');
  const state = word(stored['state']) || 'asked';
  const data = stored['form_data'] ?? (isDeclined ? undefined : answer?.data) ?? source['form_data'];
  return {
    ...stored,
    state: state === 'asked' ? (decidedHere ?? state) : state,
    form_data: withoutPasswords(source, data),
  };
}

/** The arguments of a tool's call, and what was decided. */
function decision({ source }: ConversationItem, answer: ItemAnswer | undefined): string {
  const { state, reason, form_data } = decisionOf(source, answer);
  const outcome = outcomes[word(state)];
  const root = fields(source['json_schema']);
  return lines([
    dataMarkdown(form_data, { root, schema: root }),
    outcome ? `[${[outcome, word(reason)].filter(Boolean).join(': ')}]` : '',
  ]);
}

/** What the agent asks the page to do. */
function pageToolCall(call: Fields): string {
  return lines([
    bold(first(call, 'title', 'name')),
    dataMarkdown(fields(call['args']), { root: {}, schema: {} }),
  ]);
}

function message(offer: unknown): string {
  return word(fields(offer)['message']);
}

function messageToPerson(source: Fields): string {
  return word(source['message_to_human_agent']);
}

/** The title and the description, except the one that is the label. */
function titlesExcept(source: Fields, label: string): readonly string[] {
  return ['title', 'description'].map((key) => word(source[key])).filter((text) => text !== label);
}

/** An item of an unknown type: its text, then its other fields. */
function openItem(source: Fields): string {
  const said = readable(source);
  const rest = Object.entries(source).filter(
    ([key, value]) => !omittedFields.has(key) && !(typeof value === 'string' && said.includes(value.trim())),
  );
  return lines([said, dataMarkdown(Object.fromEntries(rest), { root: {}, schema: {} })]);
}

/** The human-readable fields of an item of any type. */
function readable(source: Fields): string {
  return lines([
    bold(first(source, 'title', 'label', 'name')),
    word(source['description']),
    word(source['text']),
    [word(source['connection_status']), first(source, 'connection_message', 'message', 'message_to_user')]
      .filter(Boolean)
      .join(': '),
  ]);
}

function inside(content: unknown, within: Within): string {
  const depth = within.depth ?? 0;
  if (depth >= maxDepth) return '';
  return lines(
    sourcesOf(content).map((source) => {
      const item = readItem(source, '');
      const isCard = item.type === 'unknown' && source['body'] != null;
      return itemMarkdown(isCard ? { ...item, type: 'card' } : item, { ...within, depth: depth + 1 });
    }),
  );
}

function gridRow(row: unknown, within: Within): string {
  const cells = listOf(Array.isArray(row) ? row : fields(row)['cells']);
  return cells
    .map((cell) => inside(fields(cell)['items'] ?? cell, within))
    .filter(Boolean)
    .join('\n\n');
}

function table(source: Fields): string {
  const cells = tableCells(source);
  const rows = cells.rows.map((row) => row.map(cellOf));
  const headers = cells.headers.map(cellOf);
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), headers.length);
  if (width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${[...Array(width).keys()].map((column) => cells[column] ?? '').join(' | ')} |`;
  return [line(headers), line(Array<string>(width).fill('---')), ...rows.map(line)].join('\n');
}

function cellOf(cell: unknown): string {
  const words = isObject(cell)
    ? first(cell, 'text', 'value', 'label', 'title', 'header', 'name')
    : word(cell);
  return words.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

function sourcesCited(source: Fields): readonly string[] {
  const results = listOf(source['search_results']);
  const cited = listOf(source['citations']);
  const sources = (cited.length > 0 ? cited : results).map((entry, index) => {
    const { url, search_result_idx: at, search_result_index: other } = fields(entry);
    const result = fields(cited.length > 0 ? results[Number(at ?? other)] : undefined);
    const title = first(fields(entry), 'title') || first(result, 'title');
    const excerpt = readText(fields(entry)['text'] ?? fields(entry)['body']).slice(0, 200);
    return `${index + 1}. ${link(title || word(url) || excerpt, word(url) || word(result['url']))}`;
  });
  return sources.length === 0 ? [] : [sources.join('\n')];
}

function labelOf(option: unknown): string {
  return isObject(option) ? first(option, 'label', 'text', 'title', 'name', 'value') : word(option);
}

function fileOf(file: unknown): string {
  if (!isObject(file)) return word(file);
  return link(first(file, 'fileName', 'file_name', 'name'), word(file['url']));
}

function addressOf({ source, url }: Fields): string {
  const address = word(source) || word(fields(source)['url']) || word(url);
  return address.startsWith('data:') ? '' : address;
}

function link(label: string, address: string): string {
  return address === '' ? label : `[${label || address}](${address})`;
}

/** An image, or only its description if its data is part of the message (`data:` URL). */
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
  return isObject(value) ? value : {};
}
