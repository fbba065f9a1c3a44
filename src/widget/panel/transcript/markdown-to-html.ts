import {
  parseDocument,
  type Block,
  type Inline,
  type ListItem,
  type TableRow,
} from '../../../markdown/index.ts';
import { safeLinkUrl } from '../../platform/url-policy.ts';

/**
 * Writes Markdown as HTML for the clipboard, so that what is pasted elsewhere keeps headings, lists, tables and links.
 * Contains no script, style or picture: of an image, the alternative text is left.
 */
export function markdownToHtml(text: string): string {
  return blocksHtml(parseDocument(text));
}

function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join('');
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph': {
      const text = inlineHtml([...block.settled, ...block.rest]);
      return block.bare ? text : `<p>${text}</p>`;
    }
    case 'heading':
      return element(`h${block.level}`, inlineHtml(block.children));
    case 'code':
      return `<pre><code>${escape(block.settled.join('') + block.rest)}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'math':
    case 'raw':
      return element('p', escape(block.text));
    case 'quote':
      return element('blockquote', blocksHtml(block.children));
    case 'list': {
      const items = block.items.map(itemHtml).join('');
      return block.ordered ? `<ol start="${block.start}">${items}</ol>` : element('ul', items);
    }
    case 'table':
      return element(
        'table',
        [rowHtml(block.head, 'th'), ...block.rows.map((row) => rowHtml(row, 'td'))].join(''),
      );
  }
}

function itemHtml({ checked, children }: ListItem): string {
  const box = checked === undefined ? '' : checked ? '☑ ' : '☐ ';
  return element('li', box + blocksHtml(children));
}

function rowHtml(row: TableRow, tag: 'th' | 'td'): string {
  return element('tr', row.map((cell) => element(tag, inlineHtml(cell))).join(''));
}

function inlineHtml(nodes: readonly Inline[]): string {
  return nodes.map(oneInlineHtml).join('');
}

const tags = { strong: 'strong', emphasis: 'em', strike: 'del' } as const;

function oneInlineHtml(node: Inline): string {
  switch (node.kind) {
    case 'text':
    case 'math':
      return escape(node.text);
    case 'code':
      return element('code', escape(node.text));
    case 'break':
      return '<br>';
    case 'image':
      return escape(node.alternative);
    case 'link': {
      const url = safeLinkUrl(node.href);
      const text = inlineHtml(node.children);
      return url ? `<a href="${escape(url.href)}">${text}</a>` : text;
    }
    default:
      return element(tags[node.kind], inlineHtml(node.children));
  }
}

function element(tag: string, content: string): string {
  return `<${tag}>${content}</${tag}>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
