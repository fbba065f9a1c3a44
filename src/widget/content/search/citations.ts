import { safeLinkUrl } from '../../platform/url-policy.ts';
import { asObject, firstText, list, number, text, type Fields } from '../read-item.ts';

/** A position in the answer's text that refers to a source. */
export interface CitationMark {
  /** In characters from the start of the text; the mark comes after them. */
  readonly offset: number;
  /** The visible number of the source. */
  readonly label: number;
}

/** A source of an answer. */
export interface Citation {
  /** From 1, in order of appearance. */
  readonly number: number;
  readonly title: string;
  readonly excerpt: string;
  /** URL of the source, if it is safe to follow. */
  readonly address: URL | undefined;
  /** Ends of the cited passages, as offsets in the text. */
  readonly ends: readonly number[];
}

/**
 * The sources of a `conversational_search` item: its citations, completed from the search results they refer to, or
 * the results themselves if there are no citations. Passages outside the text are dropped.
 * @source interface, "Content item" (`conversational_search`); fields as seen
 */
export function readCitations(fields: Fields, textLength: number): readonly Citation[] {
  const results = list(fields['search_results'], 100).map(asObject);
  const citations = list(fields['citations'], 100).map(asObject);
  const sources = citations.length ? citations : results;
  return sources.map((source, index) => {
    const result = citations.length ? (results[resultIndex(source)] ?? {}) : source;
    const metadata = asObject(result['result_metadata']);
    const url = [source['url'], result['url'], metadata['url']].find((candidate) => safeLinkUrl(candidate));
    return {
      number: index + 1,
      title: firstText(source['title'], result['title'], metadata['title']),
      excerpt: excerpt(source['text'], source['body'], result['body'], result['text'], result['highlight']),
      address: safeLinkUrl(url),
      ends: list(source['ranges'], 50).flatMap((range) => rangeEnd(asObject(range), textLength)),
    };
  });
}

/** The marks of all sources in reading order, at most one per source and position. */
export function citationMarks(citations: readonly Citation[]): readonly CitationMark[] {
  return citations
    .flatMap(({ ends, number: label }) => [...new Set(ends)].map((offset) => ({ offset, label })))
    .sort((one, other) => one.offset - other.offset || one.label - other.label);
}

function resultIndex(source: Fields): number {
  return number(source['search_result_idx']) ?? number(source['search_result_index']) ?? -1;
}

function rangeEnd(range: Fields, textLength: number): readonly number[] {
  const start = number(range['start']) ?? 0;
  const end = number(range['end']);
  const sound = end !== undefined && Number.isInteger(end) && end > 0 && end >= start && end <= textLength;
  return sound ? [end] : [];
}

function excerpt(...candidates: readonly unknown[]): string {
  const found = candidates.map((candidate) => text(candidate, 1200)).find((candidate) => candidate.trim());
  return found?.replace(/<\/?(em|b|strong|mark)>/gi, '').trim() ?? '';
}
