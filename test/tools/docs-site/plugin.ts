import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { pageHtml } from './layout.ts';
import { docsFolder, groupsOf, readPages, type DocPage } from './pages.ts';
import { renderMarkdown } from './render-markdown.ts';
import { searchIndex } from './search-index.ts';

const images = fileURLToPath(new URL('../../../demo/docs/images/', import.meta.url));

const styles = fileURLToPath(new URL('../../../demo/site/site.css', import.meta.url));

/** Adds the pages of the documentation, its search index, and its texts for language models to a build. */
export function docsSite(): Plugin {
  return {
    name: 'docs-site',
    apply: 'build',
    buildStart() {
      this.addWatchFile(styles);
      for (const file of readdirSync(docsFolder)) this.addWatchFile(docsFolder + file);
    },
    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array): void =>
        void this.emitFile({ type: 'asset', fileName, source });
      const pages = readPages();
      const rendered = pages.map((page) => ({ page, result: renderMarkdown(page.source, page.folder) }));
      for (const { page, result } of rendered) {
        emit(`docs/${page.name}.html`, pageHtml(page, result, pages));
        emit(`docs/${page.name}.md`, besideEachOther(page.source));
      }
      emit('docs/openacr.yaml', readFileSync(`${docsFolder}openacr.yaml`));
      for (const file of existsSync(images) ? readdirSync(images) : [])
        emit(`docs/images/${file}`, readFileSync(images + file));
      emit('docs/site.css', readFileSync(styles));
      emit('docs/search.json', searchIndex(rendered));
      emit('llms.txt', listForModels(pages));
      emit('llms-full.txt', pages.map(({ source }) => source.replace(/^<!--.*-->\n/gm, '')).join('\n\n'));
    },
  };
}

/** In the site all documents are in one folder, the changelog too. */
function besideEachOther(source: string): string {
  return source.replaceAll('](demo/docs/', '](').replaceAll('](../../CHANGELOG.md', '](changelog.md');
}

/** @see https://llmstxt.org */
function listForModels(pages: readonly DocPage[]): string {
  const lists = groupsOf(pages).map(
    ([group, members]) =>
      `## ${group}\n\n${members.map(({ name, title, description }) => `- [${title}](docs/${name}.md): ${description}`).join('\n')}\n`,
  );
  return [
    '# agent-chat\n',
    '> A chat widget that puts a conversational agent on any web page with one script tag, a typed client, and a service for Node.\n',
    'All pages in one file: [llms-full.txt](llms-full.txt).\n',
    ...lists,
  ].join('\n');
}
