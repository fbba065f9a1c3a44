import { isObject } from '../../protocol/json.ts';
import type { Citation, CitedText } from './cited-text.ts';

/**
 * Collects the sources of an answer: annotations of its passages (OpenAI, OpenRouter), or the list that services
 * with a search of their own send beside it (Perplexity, xAI), in the order of the numbers in the text.
 */
export class ChatCitations {
  readonly #text: CitedText;
  /** Where this answer starts in the text. */
  readonly #start: number;
  #hasAnnotations = false;
  #list: readonly Citation[] = [];

  constructor(text: CitedText) {
    this.#text = text;
    this.#start = text.nextStart;
  }

  /** Reads the sources that come with a part of the answer: the library's types have none. */
  apply(part: object, delta: object | undefined): void {
    const { search_results: results, citations }: { search_results?: unknown; citations?: unknown } = part;
    const list = [results, citations].map(sourcesIn).find(({ length }) => length > 0);
    if (list) this.#list = list; // services repeat it in each part
    const { annotations }: { annotations?: unknown } = delta ?? {};
    if (Array.isArray(annotations)) for (const annotation of annotations) this.#annotate(annotation);
  }

  #annotate(annotation: unknown): void {
    if (!isObject(annotation) || !isObject(annotation['url_citation'])) return;
    const { start_index: from, end_index: to } = annotation['url_citation'];
    const [source] = sourcesIn([annotation['url_citation']]);
    if (!source) return;
    this.#hasAnnotations = true;
    if (typeof from === 'number' && typeof to === 'number' && to > from)
      this.#text.cite(source, this.#start + from, this.#start + to);
    else this.#text.addSource(source);
  }

  /** Adds the list as sources of the whole text, unless annotations have named passages. */
  end(): void {
    if (!this.#hasAnnotations) for (const source of this.#list) this.#text.addSource(source);
  }
}

/** Reads a list of addresses, or of objects with an address. */
function sourcesIn(list: unknown): Citation[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown): Citation[] => {
    const fields = isObject(entry) ? entry : { url: entry };
    const [url, title, text] = [fields['url'], fields['title'], fields['snippet'] ?? fields['content']].map(
      (value) => (typeof value === 'string' && value !== '' ? value : undefined),
    );
    if (url === undefined) return [];
    return [{ title: title ?? url, url, ...(text === undefined ? {} : { text }) }];
  });
}
