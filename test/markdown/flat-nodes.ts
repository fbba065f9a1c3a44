import type { Block, Inline } from '../../src/markdown/index.ts';

/** Nodes without the traces of how they came about: what is settled joined to what is not. */
export function flat(blocks: readonly Block[]): unknown {
  return blocks.map(flatBlock);
}

function flatBlock(block: Block): unknown {
  switch (block.kind) {
    case 'paragraph':
      return { kind: block.kind, bare: block.bare, children: joined([...block.settled, ...block.rest]) };
    case 'code':
      return { kind: block.kind, info: block.info, text: block.settled.join('') + block.rest };
    case 'quote':
      return { kind: block.kind, children: flat(block.children) };
    case 'list':
      return {
        kind: block.kind,
        ordered: block.ordered,
        start: block.start,
        items: block.items.map(({ checked, children }) => ({ checked, children: flat(children) })),
      };
    case 'table':
      return { kind: block.kind, alignments: block.alignments, head: block.head, rows: [...block.rows] };
    default:
      return block;
  }
}

function joined(nodes: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.kind === 'text' && last?.kind === 'text') {
      result[result.length - 1] = { kind: 'text', text: last.text + node.text };
    } else {
      result.push(node);
    }
  }
  return result;
}
