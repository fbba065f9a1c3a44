import { posix } from 'node:path';
import markdownIt from 'markdown-it';
import manifest from '../../../package.json' with { type: 'json' };
import { languageName, languageOf } from '../../../src/widget/markdown/code/languages.ts';
import { highlight } from '../../../src/widget/markdown/code/highlight.ts';

/** A heading of a page, or its beginning. */
export interface Section {
  /** Anchor; `''` for the beginning of the page. */
  readonly id: string;
  readonly level: number;
  readonly title: string;
  /** Plain text up to the next heading, for the search. */
  readonly text: string;
}

/** A rendered document. */
export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
}

const repository = manifest.homepage.replace(/#.*$/, '/blob/main/');

const markdown = markdownIt({ html: false, linkify: false });
const { escapeHtml } = markdown.utils;

markdown.renderer.rules['table_open'] = () =>
  '<div class="table" role="group" tabindex="0" aria-label="Table"><table>';
markdown.renderer.rules['table_close'] = () => '</table></div>';
markdown.renderer.rules['code_block'] = (tokens, index) => codeBlock(tokens[index]?.content ?? '', '');
markdown.renderer.rules['fence'] = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {};
  return info === 'live' ? liveExample(content) : codeBlock(content, info);
};

// HTML does not need this end tag; the changelog has hundreds of items, and each page may weigh 100 kB
markdown.renderer.rules['list_item_close'] = () => '\n';

/**
 * Renders a document.
 * @param source Markdown. Comments are dropped; `<!-- live: {…} -->` becomes a live example with these attributes.
 * @param folder Folder of the document in the repository; links of the document start there.
 */
export function renderMarkdown(source: string, folder: string): Rendered {
  const text = source
    .replace(/^<!-- live: (\{.*\}) -->$/gm, '```live\n$1\n```')
    .replace(/^<!--[^]*?-->\n?/gm, '');
  const tokens = markdown.parse(text, {});
  const sections: Section[] = [{ id: '', level: 1, title: '', text: '' }];
  const anchors = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[index + 1]);
      const level = Number(token.tag.slice(1));
      const anchor = level === 1 ? '' : anchorOf(title);
      const earlier = anchors.get(anchor) ?? 0;
      anchors.set(anchor, earlier + 1);
      const id = earlier && anchor ? `${anchor}-${earlier}` : anchor;
      if (id) token.attrSet('id', id);
      if (level === 1) sections[0] = { id, level, title, text: '' };
      else sections.push({ id, level, title, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const last = sections.pop();
      if (last) sections.push({ ...last, text: `${last.text} ${plainText(token)}`.trim() });
    }
    for (const child of token.children ?? []) if (child.type === 'link_open') retarget(child, folder);
    alignByClass(token);
  }
  // a heading without words is an ordinary cell
  const html = markdown.renderer.render(tokens, markdown.options, {}).replaceAll('<th></th>', '<td></td>');
  return { html, sections };
}

type Token = ReturnType<typeof markdown.parse>[number];

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) =>
      type === 'text' || type === 'code_inline' ? content : type === 'softbreak' ? ' ' : '',
    )
    .join('');
}

/** Anchor of a heading, as code hosts make it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** markdown-it aligns a cell by `style`, which the policy of the page blocks. */
function alignByClass(cell: Token): void {
  const alignment = /^text-align:(\w+)$/.exec(String(cell.attrGet('style') ?? ''))?.[1];
  if (alignment === undefined) return;
  cell.attrs = (cell.attrs ?? []).filter(([name]) => name !== 'style');
  cell.attrJoin('class', alignment);
}

/** Points links to other documents at their pages, and links to other files at the repository. */
function retarget(link: Token, folder: string): void {
  const target = String(link.attrGet('href') ?? '');
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return;
  const [path = '', anchor] = target.split('#');
  const file = posix.join(folder, path);
  const page =
    /^demo\/docs\/([\w-]+)\.md$/.exec(file)?.[1] ?? (file.endsWith('CHANGELOG.md') ? 'changelog' : '');
  const isCopied = file.startsWith('demo/docs/') && !file.endsWith('.md');
  const address = page ? `${page}.html` : isCopied ? path : repository + file;
  link.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`);
}

function codeBlock(code: string, info: string): string {
  const language = languageOf(info);
  const pieces = highlight(code, language === 'vue' || language === 'svelte' ? 'html' : language);
  const inner = pieces
    ? pieces
        .map(({ text, colour }) =>
          colour ? `<span class="${colour}">${escapeHtml(text)}</span>` : escapeHtml(text),
        )
        .join('')
    : escapeHtml(code);
  const label = languageName(language) || 'Text';
  return `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0"><code>${inner}</code></pre></figure>\n`;
}

function liveExample(content: string): string {
  const attributes = JSON.stringify(JSON.parse(content));
  return `<figure class="live" data-chat="${escapeHtml(attributes)}"><figcaption>Live, from a recording: whatever you ask, it plays the same answer.</figcaption></figure>\n`;
}
