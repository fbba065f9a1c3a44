import type { Block, Inline, ListItem, TableRow } from '../../src/markdown/index.ts';

/** Writes nodes the way the specifications write their expected results. For tests alone. */
export function toHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join('');
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph': {
      const text = inlineHtml([...block.settled, ...block.rest]);
      return block.bare ? `${text}\n` : `<p>${text}</p>\n`;
    }
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.children)}</h${block.level}>\n`;
    case 'code': {
      const language = block.info.split(/\s/)[0];
      const attribute = language ? ` class="language-${escape(language)}"` : '';
      return `<pre><code${attribute}>${escape(block.settled.join('') + block.rest)}</code></pre>\n`;
    }
    case 'rule':
      return '<hr />\n';
    case 'math':
      return `<math display="block">${escape(block.text)}</math>\n`;
    case 'raw':
      return `${escape(block.text)}\n`;
    case 'quote':
      return `<blockquote>\n${toHtml(block.children)}</blockquote>\n`;
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul';
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : '';
      return `<${tag}${start}>\n${block.items.map(itemHtml).join('')}</${tag}>\n`;
    }
    case 'table': {
      const rows = block.rows.map((row) => rowHtml(row, 'td', block.alignments)).join('');
      const body = rows && `<tbody>\n${rows}</tbody>\n`;
      return `<table>\n<thead>\n${rowHtml(block.head, 'th', block.alignments)}</thead>\n${body}</table>\n`;
    }
  }
}

function itemHtml(item: ListItem): string {
  const box =
    item.checked === undefined
      ? ''
      : `<input type="checkbox"${item.checked ? ' checked=""' : ''} disabled="" /> `;
  return `<li>${box}${toHtml(item.children)}</li>\n`;
}

function rowHtml(row: TableRow, tag: string, alignments: readonly string[]): string {
  const cells = row.map((cell, index) => {
    const align = alignments[index] ? ` align="${alignments[index]}"` : '';
    return `<${tag}${align}>${inlineHtml(cell)}</${tag}>\n`;
  });
  return `<tr>\n${cells.join('')}</tr>\n`;
}

const tags = { strong: 'strong', emphasis: 'em', strike: 'del' } as const;

/** Inline nodes as HTML. */
export function inlineHtml(nodes: readonly Inline[]): string {
  return nodes.map(oneInlineHtml).join('');
}

function oneInlineHtml(node: Inline): string {
  switch (node.kind) {
    case 'text':
      return escape(node.text);
    case 'code':
      return `<code>${escape(node.text)}</code>`;
    case 'math':
      return `<math>${escape(node.text)}</math>`;
    case 'break':
      return '<br />\n';
    case 'link':
      return `<a href="${escape(node.href)}"${title(node.title)}>${inlineHtml(node.children)}</a>`;
    case 'image':
      return `<img src="${escape(node.source)}" alt="${escape(node.alternative)}"${title(node.title)} />`;
    default:
      return `<${tags[node.kind]}>${inlineHtml(node.children)}</${tags[node.kind]}>`;
  }
}

function title(text: string): string {
  return text && ` title="${escape(text)}"`;
}

/** `& < > "` as character references. */
export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Removes what a comparison ignores: white space around block tags, order of attributes, ways to write a void tag. */
export function normalizeHtml(html: string): string {
  const block = '(?:p|h[1-6]|pre|blockquote|[uo]l|li|hr|table|thead|tbody|tr|t[hd])';
  return html
    .replace(/<input[^>]*>/g, (tag) => `<input${tag.includes('checked') ? ' checked' : ''}>`)
    .replace(/ style="text-align: ?(\w+)"/g, ' align="$1"')
    .replace(/ ?\/>/g, '>')
    .replace(/\n+/g, '\n')
    .replace(new RegExp(`\\n?(</?${block}\\b[^>]*>)\\n?`, 'g'), '$1')
    .replace(/[ \n]+(<br>)\n?/g, '$1')
    .replace(/<br>\n/g, '<br>')
    .trim();
}
