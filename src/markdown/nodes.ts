/** An inline node. Adjacent text nodes are always merged. */
export type Inline =
  | InlineText
  | InlineCode
  | InlineFormula
  | InlineSpan
  | InlineLink
  | InlineImage
  | { readonly kind: 'break' };

/** Plain text; a soft line break is a `\n` in it. */
export interface InlineText {
  readonly kind: 'text';
  readonly text: string;
}

export interface InlineCode {
  readonly kind: 'code';
  readonly text: string;
}

/** A formula as written, with its delimiters. */
export interface InlineFormula {
  readonly kind: 'math';
  readonly text: string;
}

export interface InlineSpan {
  readonly kind: 'strong' | 'emphasis' | 'strike';
  readonly children: readonly Inline[];
}

/** A link with its URL as written, not sanitized; the renderer decides whether the URL is safe. */
export interface InlineLink {
  readonly kind: 'link';
  readonly href: string;
  readonly title: string;
  readonly children: readonly Inline[];
}

export interface InlineImage {
  readonly kind: 'image';
  readonly source: string;
  readonly title: string;
  /** The alternative text, without markup. */
  readonly alternative: string;
}

/** A top-level block, or one inside a quote or a list item. An unchanged block keeps its identity between updates. */
export type Block =
  | ParagraphBlock
  | HeadingBlock
  | CodeBlock
  | RuleBlock
  | QuoteBlock
  | ListBlock
  | TableBlock
  | RawBlock
  | MathBlock;

/**
 * While the block is open, `settled` is append-only; `rest` follows it and may change. When `settled` ends with a text
 * node and `rest` begins with one, the two are one text.
 */
export interface ParagraphBlock {
  readonly kind: 'paragraph';
  /** In a tight list: rendered without a `<p>`. */
  readonly bare: boolean;
  readonly settled: readonly Inline[];
  readonly rest: readonly Inline[];
}

export interface HeadingBlock {
  readonly kind: 'heading';
  readonly level: number;
  readonly children: readonly Inline[];
}

/** `settled` holds complete lines and is append-only; `rest` is the incomplete last line. */
export interface CodeBlock {
  readonly kind: 'code';
  /** The info string of a fence, entities and escapes decoded; `''` for indented code. */
  readonly info: string;
  readonly settled: readonly string[];
  readonly rest: string;
  /** Whether the block is complete. */
  readonly closed: boolean;
}

export interface RuleBlock {
  readonly kind: 'rule';
}

export interface QuoteBlock {
  readonly kind: 'quote';
  readonly children: readonly Block[];
}

/** `items` keeps its identity while the list is open; its first `settledCount` entries no longer change. */
export interface ListBlock {
  readonly kind: 'list';
  readonly ordered: boolean;
  readonly start: number;
  readonly items: readonly ListItem[];
  readonly settledCount: number;
}

export interface ListItem {
  /** A task, done or not; undefined for an ordinary item. */
  readonly checked: boolean | undefined;
  readonly children: readonly Block[];
}

export type Alignment = '' | 'left' | 'center' | 'right';

/** `rows` keeps its identity while the table is open; its first `settledCount` entries no longer change. */
export interface TableBlock {
  readonly kind: 'table';
  readonly alignments: readonly Alignment[];
  readonly head: TableRow;
  readonly rows: readonly TableRow[];
  readonly settledCount: number;
  /** Whether the table is complete. */
  readonly closed: boolean;
}

export type TableRow = readonly (readonly Inline[])[];

/** Raw HTML, rendered as plain text. */
export interface RawBlock {
  readonly kind: 'raw';
  readonly text: string;
}

/** A formula of its own, as written. While it is open, or if it was never closed, the closing delimiter is missing. */
export interface MathBlock {
  readonly kind: 'math';
  readonly text: string;
  /** Whether the block is complete. */
  readonly closed: boolean;
}
