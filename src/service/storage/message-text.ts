import type { Message } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';

/** Members of content items that people read. */
const textKeys = ['text', 'title', 'description', 'label', 'caption', 'header', 'body'] as const;
const listKeys = ['items', 'options', 'cards', 'body', 'results'] as const;
const maxDepth = 4;

/** Returns what people read of a message; `''` for one that is not shown. */
export function visibleText(message: Message): string {
  const { content, role, additional_properties: more } = message;
  if (role === 'system' || role === 'tool' || more?.display_properties?.skip_render === true) return '';
  if (typeof content === 'string') return content;
  return textsIn(content ?? [], maxDepth).join('\n');
}

function textsIn(value: unknown, depth: number): string[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => textsIn(entry, depth));
  if (!isObject(value)) return [];
  const own = textKeys.flatMap((key) => {
    const text = value[key];
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
  return [
    ...(own.length > 0 ? own : formTitle(value)),
    ...listKeys.flatMap((key) =>
      isObject(value[key]) || Array.isArray(value[key]) ? textsIn(value[key], depth - 1) : [],
    ),
  ];
}

/** The title of a form or of a decision, as the widget shows it. */
function formTitle({ json_schema: schema, name, sub_type }: Readonly<Record<string, unknown>>): string[] {
  if (!isObject(schema)) return [];
  const titles = sub_type === 'tool_approval' ? [name] : [schema['title'], name];
  const title = titles.find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof title === 'string' ? [title] : [];
}

/** Returns the title that an agent gave the thread with a message: `additional_properties.thread_title`. */
export function givenTitle({ additional_properties: more }: Message): string | undefined {
  const title = more?.['thread_title'];
  return typeof title === 'string' && title.trim() !== '' ? plainTitle(title) : undefined;
}

/** Longest title of a thread, in characters. */
const maxTitleLength = 200;

/** Returns a title as one line. What looks like Markdown stays. */
export function plainTitle(title: string): string {
  return cutAtWord(
    title
      .replace(/\p{Cs}/gu, '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    maxTitleLength,
  );
}

/**
 * Returns a text as one line without the marks of Markdown, cut at a word.
 * @param length most characters, without the ellipsis
 */
export function plainLine(text: string, length: number): string {
  const line = text
    .slice(0, length * 8) // marks and spaces go
    .replace(/\p{Cs}/gu, '')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    // fences and rules; each place matches in one way only, for a visitor's text must not keep the service busy
    .replace(/^(?:[^\S\n]*(?:`{3}|~{3}).*|(?=.*---)(?:[^\S\n]|[:|-])+)$/gm, ' ')
    .replace(/^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|\d{1,9}[.)]\s+)/gm, '')
    .replace(/\*\*|__|~~|`|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replaceAll('|', ' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return cutAtWord(line, length);
}

/** Cuts a text at a word, or between characters if the word is long. */
function cutAtWord(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
