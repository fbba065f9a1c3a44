/** What a line of text is made of. Adjacent texts are one. */
export type Inline =
  InlineText | InlineCode | InlineSpan | InlineLink | InlineImage | { readonly kind: 'break' };

/** Plain text; a soft line break is a `\n` in it. */
export interface InlineText {
  readonly kind: 'text';
  readonly text: string;
}

export interface InlineCode {
  readonly kind: 'code';
  readonly text: string;
}

export interface InlineSpan {
  readonly kind: 'strong' | 'emphasis' | 'strike';
  readonly children: readonly Inline[];
}

/** A link as it was written; whether it may be followed is for whoever shows it to decide. */
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
  /** The description as plain text. */
  readonly alternative: string;
}

/** A top-level block, or one inside a quote or a list item. An unchanged block is the same object. */
export type Block =
  ParagraphBlock | HeadingBlock | CodeBlock | RuleBlock | QuoteBlock | ListBlock | TableBlock | RawBlock;

/**
 * `settled` only ever grows at its end while the block is open; `rest` comes after it and may change. Where the two
 * meet, text joins text.
 */
export interface ParagraphBlock {
  readonly kind: 'paragraph';
  /** In a tight list: shown without a paragraph of its own. */
  readonly bare: boolean;
  readonly settled: readonly Inline[];
  readonly rest: readonly Inline[];
}

export interface HeadingBlock {
  readonly kind: 'heading';
  readonly level: number;
  readonly children: readonly Inline[];
}

/** `settled` only ever grows at its end while the block is open: whole lines. `rest` is the line being written. */
export interface CodeBlock {
  readonly kind: 'code';
  /** The info string of a fence, entities and escapes decoded; `''` for indented code. */
  readonly info: string;
  readonly settled: readonly string[];
  readonly rest: string;
  /** No more text will come. */
  readonly closed: boolean;
}

export interface RuleBlock {
  readonly kind: 'rule';
}

export interface QuoteBlock {
  readonly kind: 'quote';
  readonly children: readonly Block[];
}

/** `items` is the same array while the list is open; the first `settled` of them do not change any more. */
export interface ListBlock {
  readonly kind: 'list';
  readonly ordered: boolean;
  readonly start: number;
  readonly items: readonly ListItem[];
  readonly settled: number;
}

export interface ListItem {
  /** A task, done or not; undefined for an ordinary item. */
  readonly checked: boolean | undefined;
  readonly children: readonly Block[];
}

export type Alignment = '' | 'left' | 'center' | 'right';

/** `rows` is the same array while the table is open; the first `settled` of them do not change any more. */
export interface TableBlock {
  readonly kind: 'table';
  readonly alignments: readonly Alignment[];
  readonly head: TableRow;
  readonly rows: readonly TableRow[];
  readonly settled: number;
}

export type TableRow = readonly (readonly Inline[])[];

/** Raw HTML, shown as the text it is. */
export interface RawBlock {
  readonly kind: 'raw';
  readonly text: string;
}
