import MiniSearch from 'minisearch';
import { indexOptions } from '../../../demo/site/search-documents.ts';
import type { DocPage } from './pages.ts';
import type { Rendered } from './render-markdown.ts';

/** The search index of the pages, as JSON: one entry per section. */
export function searchIndex(rendered: readonly { page: DocPage; result: Rendered }[]): string {
  const index = new MiniSearch(indexOptions);
  for (const { page, result } of rendered) {
    for (const { id, title, text } of result.sections) {
      const address = `${page.name}.html${id ? `#${id}` : ''}`;
      index.add({ id: address, address, title, page: page.title, text });
    }
  }
  return JSON.stringify(index);
}
