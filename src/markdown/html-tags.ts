/** Attributes of a tag, and the space before its end. */
const attributes = /(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?/.source;
/** An opening or closing tag. */
const anyTag = `<(?:[a-z][a-z\\d-]*${attributes}|/[a-z][a-z\\d-]*\\s*)>`;
const tag = new RegExp(anyTag, 'iy');
const tagLine = new RegExp(`^${anyTag}\\s*$`, 'i');
const blockTags =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

/**
 * The seven kinds of HTML blocks: patterns of their first and last lines. The last two end before a blank line.
 * @source CommonMark 0.31.2, "HTML blocks"
 */
const htmlBlocks: readonly (readonly [start: RegExp, end: RegExp | undefined])[] = [
  [/^<(?:script|pre|textarea|style)(?:\s|>|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${blockTags})(?:\\s|/?>|$)`, 'i'), undefined],
  [tagLine, undefined],
];

/**
 * The HTML block that a line begins.
 * @param inParagraph Whether the line could continue a paragraph, which the seventh kind cannot interrupt.
 * @returns `end`: a pattern of the last line; undefined: a blank line ends the block
 */
export function htmlBlockStart(line: string, inParagraph: boolean): { end: RegExp | undefined } | undefined {
  if (!line.startsWith('<')) return undefined;
  const found = htmlBlocks.find(([start]) => start.test(line));
  if (!found || (inParagraph && found[0] === tagLine)) return undefined;
  return { end: found[1] };
}

/** Raw HTML that ends with a fixed string: a pattern of its start, the string, and the offset to search it from. */
const delimited: readonly (readonly [start: RegExp, end: string, offset: number])[] = [
  [/<!--/y, '-->', 2],
  [/<\?/y, '?>', 2],
  [/<![a-z]/iy, '>', 3],
  [/<!\[CDATA\[/y, ']]>', 9],
];

/**
 * The index after the raw HTML at `index`; -1 when there is none.
 * @param absent Ends that the rest of the text does not contain. This function adds them, to search a text only once.
 */
export function endOfHtml(text: string, index: number, absent: Set<string>): number {
  tag.lastIndex = index;
  if (tag.test(text)) return tag.lastIndex;
  for (const [start, end, offset] of delimited) {
    start.lastIndex = index;
    if (absent.has(end) || !start.test(text)) continue;
    const found = text.indexOf(end, index + offset);
    if (found >= 0) return found + end.length;
    absent.add(end);
  }
  return -1;
}
