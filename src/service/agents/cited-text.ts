import type { AgentEvent } from './agent.ts';

/** A source that a model names for a passage of its answer. */
export interface Citation {
  readonly title: string;
  /** The cited passage of the source. */
  readonly text?: string | undefined;
  readonly url?: string | undefined;
}

interface CitedPassage extends Citation {
  /** Places in the answer that it supports. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** The text of an answer with its citations. Positions count UTF-16 code units, as JavaScript does. */
export class CitedText {
  #text = '';
  #isNewParagraph = false;
  readonly #citations = new Map<string, CitedPassage>();

  /** Characters so far. */
  get length(): number {
    return this.#text.length;
  }

  /** Where the next text begins. */
  get nextStart(): number {
    return this.#text.length + (this.#isNewParagraph ? 2 : 0);
  }

  /** Later text begins a paragraph, as the tool loop sends it. */
  breakParagraph(): void {
    this.#isNewParagraph = this.#text !== '';
  }

  append(words: string): void {
    this.#text += this.#isNewParagraph ? `\n\n${words}` : words;
    this.#isNewParagraph = false;
  }

  /** Adds a source for a range of the text. */
  cite(source: Citation, start: number, end = this.#text.length): void {
    const key = keyOf(source);
    const ranges = this.#citations.get(key)?.ranges ?? [];
    const isKnown = ranges.some((range) => range.start === start && range.end === end);
    this.#citations.set(key, { ...source, ranges: isKnown ? ranges : [...ranges, { start, end }] });
  }

  /** Adds a source of the whole text. */
  addSource(source: Citation): void {
    const key = keyOf(source);
    if (!this.#citations.has(key)) this.#citations.set(key, { ...source, ranges: [] });
  }

  /**
   * Yields the text again as a `conversational_search` item, if there are citations.
   * @param options.withRanges whether the visitor gets the text unchanged, so that positions in it are right
   */
  *finish({ withRanges }: { readonly withRanges: boolean }): Generator<AgentEvent> {
    if (this.#citations.size === 0) return;
    const citations = [...this.#citations.values()].map(({ ranges, ...source }) =>
      withRanges && ranges.length > 0 ? { ...source, ranges } : source,
    );
    const item = { id: '1', response_type: 'conversational_search', text: this.#text, citations };
    yield { event: 'message.delta', data: { delta: { role: 'assistant', content: [item] } } };
  }
}

function keyOf({ url, title, text }: Citation): string {
  return JSON.stringify([url, title, text]);
}
