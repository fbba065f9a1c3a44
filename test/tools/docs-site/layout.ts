import manifest from '../../../package.json' with { type: 'json' };
import { groupsOf, type DocPage } from './pages.ts';
import type { Rendered } from './render-markdown.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types agent-chat',
].join('; ');

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The whole page of a document. All addresses are relative, so that the site can stand in any folder. */
export function pageHtml(page: DocPage, { html, sections }: Rendered, pages: readonly DocPage[]): string {
  const place = pages.indexOf(page);
  const contents = sections.filter(({ level }) => level === 2);
  const title = page.name === 'index' ? 'agent-chat documents' : `${page.title} · agent-chat`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escape(`${page.title}: ${page.description}`)}">
<title>${escape(title)}</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="alternate" href="${page.name}.md" type="text/markdown">
<script src="scheme.js"></script>
<link rel="stylesheet" href="site.css">
<script type="module" src="site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<a class="brand" href="index.html"><b>agent-chat</b> ${manifest.version}</a>
<search class="search"><input type="search" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list" autocomplete="off" placeholder="Search" aria-label="Search the documents" aria-keyshortcuts="/"><ul id="hits" role="listbox" aria-label="Results" hidden></ul><p class="visually-hidden" role="status"></p></search>
<a class="playground" href="../index.html">Playground</a>
<button type="button" class="scheme" aria-label="Colours: as the system"><span aria-hidden="true">◐</span></button>
</header>
<div class="columns">
<nav class="contents" aria-label="Documents"><details open><summary>Documents</summary>${navigation(page, pages)}</details></nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
${neighbours(pages[place - 1], pages[place + 1])}
</main>
${contents.length > 1 ? outline(contents) : ''}
</div>
</body>
</html>
`;
}

function navigation(current: DocPage, pages: readonly DocPage[]): string {
  return groupsOf(pages)
    .map(
      ([group, members]) =>
        `<h2>${escape(group)}</h2><ul>${members
          .map(
            ({ name, title }) =>
              `<li><a href="${name}.html"${name === current.name ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`,
          )
          .join('')}</ul>`,
    )
    .join('');
}

function outline(contents: Rendered['sections']): string {
  const items = contents.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`);
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function neighbours(before: DocPage | undefined, after: DocPage | undefined): string {
  const link = (page: DocPage | undefined, word: string, relation: string): string =>
    page
      ? `<a rel="${relation}" href="${page.name}.html"><small>${word}</small> ${escape(page.title)}</a>`
      : '';
  return `<nav class="neighbours" aria-label="Next and previous">${link(before, 'Previous', 'prev')}${link(after, 'Next', 'next')}</nav>`;
}
