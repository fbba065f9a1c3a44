import type { ConversationItem } from '../../conversation/conversation.ts';
import { readItem, sourcesOf } from '../../conversation/items.ts';
import { listOf } from '../../conversation/read-values.ts';
import { extensions, needsFormulas } from '../../markdown/extensions.ts';
import { cachedBlocks, parseDocument } from '../../markdown/markdown-stream.ts';
import type { Block, Inline, ListItem } from '../../markdown/nodes.ts';
import { readChoices } from '../content/read-choices.ts';
import type { Strings } from '../i18n/strings.ts';

/** Maximum number of choices that are read aloud; longer lists are searched instead. */
const maxChoices = 20;

/** What may be formulas, before the code that recognizes them is loaded. */
const formulaMarks = /\\\(.*?\\\)|\\\[[^]*?\\\]|\$\$[^]*?\$\$/g;

/** Converts Markdown to speech: without markup; code blocks and tables are named with their size. */
export function markdownToSpeech(text: string, words: Strings): string {
  const known = needsFormulas(text)
    ? text.replace(formulaMarks, (marked) =>
        /[\\^_={}]/.test(marked.slice(2, -2)) ? words.t('markdown.formula') : marked,
      )
    : text;
  return blocksToSpeech(cachedBlocks(known) ?? parseDocument(known), words);
}

/**
 * Converts a content item to speech; `''` if it has none of its own.
 *
 * @param depth how many levels of items inside are read
 */
export function itemToSpeech({ type, text, source }: ConversationItem, words: Strings, depth = 4): string {
  const field = (name: string): string => {
    const value = source[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  if (text) return markdownToSpeech(text, words);
  // of a card, a carousel, a grid, its rows and its cells
  const { agent_available, body, cells, files, items, rows } = source;
  // unvalidated data, read defensively
  const { title: schemaTitle } = (source.json_schema ?? {}) as { readonly title?: unknown };
  // in the order in which a form shows them
  const title = (typeof schemaTitle === 'string' ? schemaTitle : '') || field('title') || field('name');
  switch (type) {
    case 'conversational_search':
    case 'inline_error':
      return markdownToSpeech(field('text'), words);
    case 'option': {
      const labels = readChoices(source['options'], maxChoices).map(({ label }) => label);
      return joinSentences([
        title,
        field('description'),
        words.t('announce.choices', { list: choicesToSpeech(labels, words.locale) }),
      ]);
    }
    case 'form':
    case 'forms':
      if (source.sub_type === 'tool_approval') return field('name');
      return words.t('announce.form', { name: title || words.t('form.label') });
    case 'table':
      return joinSentences([title, words.t('announce.table', { count: listOf(rows).length })]);
    case 'image':
    case 'video':
    case 'audio':
      return joinSentences([words.t(`media.${type}`), field('alt_text') || title, field('description')]);
    case 'date':
      return title || words.t('date.label');
    default:
      return joinSentences([
        title || field('label') || field('fileName') || field('message') || field('connection_message'),
        field('description'),
        ...sourcesOf(depth > 0 && (body ?? items ?? rows ?? cells ?? files ?? [agent_available]))
          // the words of a card tell more than its picture
          .filter((inner) => !body || inner['response_type'] !== 'image')
          .map((inner) => itemToSpeech(readItem(inner, ''), words, depth - 1)),
      ]);
  }
}

/**
 * Returns the end of the last complete sentence after `from`, up to which a growing Markdown text can be announced;
 * `from` if there is none. A code block or table counts as one sentence.
 */
export function endOfSentences(text: string, from: number): number {
  let end = from;
  let at = from;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline < 0 ? text.length : newline);
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      const close = new RegExp(`\\n {0,3}${fence}[\`~]*[ \\t]*\\n`, 'g');
      close.lastIndex = Math.max(at, newline);
      if (newline < 0 || !close.exec(text)) return end;
      end = at = close.lastIndex;
      continue;
    }
    if (/^ {0,3}\|/.test(line)) {
      const after = /\n(?! {0,3}\|)(?=[^\n]|\n)/g;
      after.lastIndex = at;
      const found = after.exec(text);
      if (!found) return end;
      end = at = found.index + 1;
      continue;
    }
    if (newline < 0) return Math.max(end, at + lastSentenceEnd(line));
    end = at = newline + 1;
  }
  return end;
}

/** Removes delimiters left over when a sentence is cut out of emphasised text. */
export function stripMarkdown(text: string): string {
  return text.replace(/\*\*|__|~~|`/g, '');
}

function lastSentenceEnd(line: string): number {
  const ends = /(?<!\b\d{1,3})[.!?…؟۔]+["'”’»)\]*_]*(?=\s)|[。！？]+[」』”’）]*/g;
  let end = 0;
  while (ends.exec(line)) end = ends.lastIndex;
  return end;
}

function blocksToSpeech(blocks: readonly Block[], words: Strings): string {
  return joinSentences(blocks.map((block) => blockToSpeech(block, words)));
}

function blockToSpeech(block: Block, words: Strings): string {
  switch (block.kind) {
    case 'paragraph':
      return inlineToSpeech([...block.settled, ...block.rest], words);
    case 'heading':
      return inlineToSpeech(block.children, words);
    case 'code': {
      const lines = [...block.settled, block.rest].join('').replace(/\n$/, '').split('\n').length;
      return words.t('announce.code', { count: lines });
    }
    case 'rule':
      return '';
    case 'quote':
      return blocksToSpeech(block.children, words);
    case 'list':
      return joinSentences(listToSpeech(block, words));
    case 'table':
      return words.t('announce.table', { count: block.rows.length });
    case 'raw':
      return block.text;
    case 'math':
      return formulaToSpeech(block, words);
  }
}

/** A simple formula as text, and the word "Formula" for others: their source is no speech. */
function formulaToSpeech({ text }: { readonly text: string }, words: Strings): string {
  return extensions.writeFormula?.(text) ?? words.t('markdown.formula');
}

/** The items of a list, one text each: an item with nested ones becomes `item: one; two`. */
function listToSpeech(list: Extract<Block, { readonly kind: 'list' }>, words: Strings): readonly string[] {
  return list.items.map((item, index) => {
    const number = list.ordered ? `${list.start + index}. ` : '';
    const own = item.children.filter(({ kind }) => kind !== 'list');
    const text = number + task(item, words) + blocksToSpeech(own, words);
    const nested = item.children.flatMap((child) =>
      child.kind === 'list' ? listToSpeech(child, words) : [],
    );
    return nested[0] ? `${text.replace(/[.:]$/, '')}: ${nested.join('; ')}` : text;
  });
}

function task({ checked }: ListItem, words: Strings): string {
  if (checked === undefined) return '';
  return `${words.t(checked ? 'markdown.task-done' : 'markdown.task-open')}: `;
}

/**
 * Joins choices into a list. Numbers them if a label contains a comma, which would otherwise sound like a
 * separator.
 */
function choicesToSpeech(labels: readonly string[], locale: string): string {
  if (!labels.some((label) => /[,;،؛、，；]/.test(label)))
    return new Intl.ListFormat(locale, { type: 'unit' }).format(labels);
  return labels.map((label, index) => `${(index + 1).toLocaleString(locale)}: ${label}`).join('; ');
}

function inlineToSpeech(parts: readonly Inline[], words: Strings): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
        case 'code':
          return part.text;
        case 'math':
          return formulaToSpeech(part, words);
        case 'break':
          return ' ';
        case 'image':
          return part.alternative && `${words.t('media.image')}: ${part.alternative}`;
        default:
          return inlineToSpeech(part.children, words);
      }
    })
    .join('');
}

/** Joins parts as separate sentences, so that screen readers pause between them. */
export function joinSentences(parts: readonly string[]): string {
  const spoken = parts.map((part) => part.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return spoken
    .map((part, index) =>
      index === spoken.length - 1 || /[.!?…:;,。！？：；、؟۔]["'”’»)\]」』）]*$/.test(part)
        ? part
        : `${part}.`,
    )
    .join(' ');
}
