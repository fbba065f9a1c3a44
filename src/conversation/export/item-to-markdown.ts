import { isObject, own } from '../../protocol/json.ts';
import type { ConversationItem, ItemAnswer } from '../conversation.ts';
import { withoutPasswords } from '../form-schema.ts';
import { answerMarkdown, dataMarkdown } from './data-to-markdown.ts';
import { asObject, listOf, readText, type Fields } from '../read-values.ts';
import { readItem, sourcesOf } from '../items.ts';
import { tableCells } from './table-cells.ts';

/** Maximum nesting of cards. */
const maxDepth = 6;

/** Fields that are not exported. */
const omittedFields: ReadonlySet<string> = new Set(
  'id response_type sub_type event_type dps_payload_id debug user_defined title description name label text'.split(
    ' ',
  ),
);

/** Outcome of a decision, by its state. */
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

/** Why a tool of the page did not run, or may not have, by the error of its result. */
const pageFailures: Readonly<Record<string, string>> = {
  declined: 'Not allowed',
  gone: 'Not done: the page no longer offers this',
  interrupted: 'Allowed; whether it happened is unknown',
  timeout: 'Allowed; whether it happened is unknown',
};

interface ExportContext {
  /** Nesting depth in cards and grids. */
  readonly depth?: number;
  /** Answers to forms, by the id of the item. */
  readonly answers?: Readonly<Record<string, ItemAnswer>>;
}

/**
 * Converts a content item to Markdown, for the clipboard and for files: its visible text, and the visitor's answer.
 * Returns `''` when it has no text.
 */
export function itemMarkdown(item: ConversationItem, context: ExportContext = {}): string {
  if (item.text) return item.text;
  const { type, source } = item;
  const heading = [bold(plainText(source['title'])), plainText(source['description'])];
  switch (type) {
    case 'conversational_search':
      return paragraphs([readText(source['text']), ...sourceList(source)]);
    case 'option':
      return paragraphs([...heading, bullets(listOf(source['options']).map(optionLabel))]);
    case 'table':
      return paragraphs([...heading, tableMarkdown(source)]);
    case 'card':
      return paragraphs([
        ...heading,
        nestedItems(source['body'], context),
        nestedItems(source['footer'], context),
      ]);
    case 'carousel':
      return paragraphs([...heading, nestedItems(source['items'], context)]);
    case 'grid':
      return paragraphs([...heading, ...listOf(source['rows']).map((row) => gridRow(row, context))]);
    case 'image': {
      const label = firstText(source, 'alt_text', 'title', 'description');
      return paragraphs([image(label, urlOf(source)), ...titlesExcept(source, label)]);
    }
    case 'video':
    case 'audio':
    case 'iframe': {
      const label = firstText(source, 'title', 'alt_text', 'description');
      return paragraphs([link(label || type, urlOf(source)), ...titlesExcept(source, label)]);
    }
    case 'button':
      return link(firstText(source, 'label', 'title', 'text'), plainText(source['url']));
    case 'file_download':
      return paragraphs([...heading, bullets(listOf(source['files']).map(fileLink))]);
    case 'form':
    case 'forms':
      return formMarkdown(item, context);
    case 'pause':
    case 'form_operation':
      return '';
    case 'connect_to_agent':
      return paragraphs([
        bold(plainText(source['title'])),
        messageOf(source['agent_available']) ||
          messageOf(source['agent_unavailable']) ||
          plainText(source['message_to_human_agent']),
      ]);
    case 'user_defined':
      if (asObject(source['user_defined'])['type'] === 'page_tool_call')
        return pageToolCall(asObject(source['user_defined']), source['result']);
      return unknownItem(
        typeof source['user_defined'] === 'string'
          ? { ...source, text: source['user_defined'] }
          : { ...source, ...asObject(source['user_defined']) },
      );
    case 'text':
    case 'date':
    case 'system':
    case 'inline_error':
    case 'file_upload':
      return readableFields(source);
    default:
      return unknownItem(source);
  }
}

function formMarkdown(item: ConversationItem, { answers = {} }: ExportContext): string {
  const { source } = item;
  const schema = asObject(source['json_schema']);
  const answer = own(answers, item.id);
  return paragraphs([
    bold(plainText(source['title']) || plainText(schema['title']) || plainText(source['name'])),
    plainText(source['description']) || plainText(schema['description']),
    source['sub_type'] === 'tool_approval' ? decisionMarkdown(item, answer) : answerMarkdown(item, answer),
  ]);
}

/**
 * The decision on a tool call: as the service has stored it, or else as the visitor has answered here. Passwords are
 * masked.
 */
export function decisionOf(source: Fields, answer: ItemAnswer | undefined): Fields {
  const stored = asObject(source['decision']);
  const isDeclined = answer?.action === 'cancel';
  const decidedHere = answer && (isDeclined ? 'declined' : 'approved');
  const state = plainText(stored['state']) || 'asked';
  const data = stored['form_data'] ?? (isDeclined ? undefined : answer?.data) ?? source['form_data'];
  return {
    ...stored,
    state: state === 'asked' ? (decidedHere ?? state) : state,
    form_data: withoutPasswords(source, data),
  };
}

/** The arguments of a tool call, and its outcome. */
function decisionMarkdown({ source }: ConversationItem, answer: ItemAnswer | undefined): string {
  const { state, reason, form_data } = decisionOf(source, answer);
  const outcome = own(outcomes, plainText(state));
  const root = asObject(source['json_schema']);
  return paragraphs([
    dataMarkdown(form_data, { root, schema: root }),
    outcome ? `[${[outcome, plainText(reason)].filter(Boolean).join(': ')}]` : '',
  ]);
}

/** A call of a tool that the page provides, and what came of it, as far as that is known. */
function pageToolCall(call: Fields, result: unknown): string {
  const error = plainText(asObject(result)['error']);
  const failure = own(pageFailures, error) ?? (error && `Allowed, but it failed: ${error}`);
  return paragraphs([
    bold(firstText(call, 'title', 'name')),
    dataMarkdown(asObject(call['args']), { root: {}, schema: {} }),
    result === undefined ? '' : `[${failure || 'Allowed and done'}]`,
  ]);
}

function messageOf(offer: unknown): string {
  return plainText(asObject(offer)['message']);
}

/** The title and the description, except the one that is the label. */
function titlesExcept(source: Fields, label: string): readonly string[] {
  return ['title', 'description'].map((key) => plainText(source[key])).filter((text) => text !== label);
}

/** An item of an unknown type: its text, then its other fields. */
function unknownItem(source: Fields): string {
  const text = readableFields(source);
  const rest = Object.entries(source).filter(
    ([key, value]) => !omittedFields.has(key) && !(typeof value === 'string' && text.includes(value.trim())),
  );
  return paragraphs([text, dataMarkdown(Object.fromEntries(rest), { root: {}, schema: {} })]);
}

/** The human-readable fields of an item of any type. */
function readableFields(source: Fields): string {
  return paragraphs([
    bold(firstText(source, 'title', 'label', 'name')),
    plainText(source['description']),
    plainText(source['text']),
    [
      plainText(source['connection_status']),
      firstText(source, 'connection_message', 'message', 'message_to_user'),
    ]
      .filter(Boolean)
      .join(': '),
  ]);
}

function nestedItems(content: unknown, context: ExportContext): string {
  const depth = context.depth ?? 0;
  if (depth >= maxDepth) return '';
  return paragraphs(
    sourcesOf(content).map((source) => {
      const item = readItem(source, '');
      const isCard = item.type === 'unknown' && source['body'] != null;
      return itemMarkdown(isCard ? { ...item, type: 'card' } : item, { ...context, depth: depth + 1 });
    }),
  );
}

function gridRow(row: unknown, context: ExportContext): string {
  const cells = listOf(Array.isArray(row) ? row : asObject(row)['cells']);
  return cells
    .map((cell) => nestedItems(asObject(cell)['items'] ?? cell, context))
    .filter(Boolean)
    .join('\n\n');
}

function tableMarkdown(source: Fields): string {
  const cells = tableCells(source);
  const rows = cells.rows.map((row) => row.map(cellText));
  const headers = cells.headers.map(cellText);
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), headers.length);
  if (width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${[...Array(width).keys()].map((column) => cells[column] ?? '').join(' | ')} |`;
  return [line(headers), line(Array<string>(width).fill('---')), ...rows.map(line)].join('\n');
}

function cellText(cell: unknown): string {
  const words = isObject(cell)
    ? firstText(cell, 'text', 'value', 'label', 'title', 'header', 'name')
    : plainText(cell);
  return words.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

function sourceList(source: Fields): readonly string[] {
  const results = listOf(source['search_results']);
  const cited = listOf(source['citations']);
  const sources = (cited.length > 0 ? cited : results).map((entry, position) => {
    const { url, search_result_idx: idx, search_result_index: index } = asObject(entry);
    const result = asObject(cited.length > 0 ? results[Number(idx ?? index)] : undefined);
    const title = firstText(asObject(entry), 'title') || firstText(result, 'title');
    const excerpt = readText(asObject(entry)['text'] ?? asObject(entry)['body']).slice(0, 200);
    return `${position + 1}. ${link(title || plainText(url) || excerpt, plainText(url) || plainText(result['url']))}`;
  });
  return sources.length === 0 ? [] : [sources.join('\n')];
}

function optionLabel(option: unknown): string {
  return isObject(option) ? firstText(option, 'label', 'text', 'title', 'name', 'value') : plainText(option);
}

function fileLink(file: unknown): string {
  if (!isObject(file)) return plainText(file);
  return link(firstText(file, 'fileName', 'file_name', 'name'), plainText(file['url']));
}

/** The URL of an image or of media; `''` if its data is part of the message (`data:` URL). */
function urlOf({ source: target, url }: Fields): string {
  const address = plainText(target) || plainText(asObject(target)['url']) || plainText(url);
  return address.startsWith('data:') ? '' : address;
}

function link(label: string, address: string): string {
  return address === '' ? label : reference(label || address, address);
}

/** An image, or only its label if it has no URL. */
function image(label: string, address: string): string {
  return address === '' ? label : `!${reference(label, address)}`;
}

/** In angle brackets, an address may contain spaces and parentheses, as in `plan (1).pdf`. */
function reference(label: string, address: string): string {
  const target = /[\s()<>]/.test(address) ? `<${address.replace(/[\n<>]/g, encodeURIComponent)}>` : address;
  return `[${label.replace(/[[\]]/g, '\\$&')}](${target})`;
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

function paragraphs(parts: readonly string[]): string {
  return parts.filter(Boolean).join('\n\n');
}

/** The text of the first of the fields that has any. */
function firstText(source: Fields, ...keys: readonly string[]): string {
  return keys.map((key) => plainText(source[key])).find(Boolean) ?? '';
}

/** A string, number or boolean as text; `''` for any other value. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
