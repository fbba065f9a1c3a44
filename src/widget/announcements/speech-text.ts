import { extensions, needsFormulas } from '../../markdown/extensions.ts';
import { cachedBlocks, parseDocument } from '../../markdown/markdown-stream.ts';
import type { Block, Inline, ListItem } from '../../markdown/nodes.ts';
import type { Strings } from '../i18n/strings.ts';

/** What may be formulas, before the code that recognizes them is loaded. */
// bounded, so that many marks without an end take linear time
const formulaMarks = /\\\(.{0,2000}?\\\)|\\\[[^]{0,2000}?\\\]|\$\$[^]{0,2000}?\$\$/g;

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
  const ends = /(?<!\b\d{1,3})[.!?…؟۔]{1,9}["'”’“‘»)\]*_]*(?=\s)|[。！？]+[」』”’）]*/g;
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
      index === spoken.length - 1 || /[.!?…:;,。！？：；、؟۔]["'”’“‘»)\]」』）]*$/.test(part)
        ? part
        : `${part}.`,
    )
    .join(' ');
}
