import type { Inline } from './nodes.ts';

/** Text, with its index in the source if the source contains it literally. */
export interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  readonly start?: number;
}

/** A run of `*`, `_` or `~` that may open or close emphasis. */
export interface DelimiterRun {
  readonly kind: 'run';
  readonly sign: string;
  /** How many signs there were, and how many are left. */
  readonly length: number;
  left: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  readonly start: number;
}

/** The `[` or `![` that may begin a link or an image. */
export interface BracketPiece {
  readonly kind: 'bracket';
  readonly image: boolean;
  readonly start: number;
  /** Index in the list of pieces. */
  readonly index: number;
}

/** A piece of inline content before emphasis is resolved. */
export type Piece = Exclude<Inline, { kind: 'text' }> | TextPiece | DelimiterRun | BracketPiece;

/** Converts pieces to nodes. Unmatched delimiters and brackets become text; adjacent texts are merged. */
export function toNodes(pieces: readonly Piece[]): Inline[] {
  const nodes: Inline[] = [];
  for (const piece of pieces) {
    const text = textOf(piece);
    const last = nodes.at(-1);
    if (typeof text !== 'string') nodes.push(text);
    else if (text && last?.kind === 'text')
      nodes[nodes.length - 1] = { kind: 'text', text: last.text + text };
    else if (text) nodes.push({ kind: 'text', text });
  }
  return nodes;
}

function textOf(piece: Piece): string | Inline {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'run':
      return piece.sign.repeat(piece.left);
    case 'bracket':
      return piece.image ? '![' : '[';
    default:
      return piece;
  }
}

/** The text of nodes without their formatting. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map(plainTextOf).join('');
}

function plainTextOf(node: Inline): string {
  if ('children' in node) return plainText(node.children);
  if ('text' in node) return node.text;
  return node.kind === 'image' ? node.alternative : '\n';
}
