import type { Segment } from './highlight.ts';

/** Lines per chunk: few enough to lay out the last one quickly, enough to keep the number of chunks low. */
const linesInGroup = 16;

/**
 * The text of a code block in chunks of lines. Appending changes only the last chunk, so that a new line does not
 * get slower with the length of the code.
 */
export class CodeLines {
  readonly #parent: HTMLElement;
  #group: HTMLElement | undefined;
  #text: Text | undefined;
  /** Number of complete lines in the last chunk. */
  #lines = 0;
  /** The incomplete last line. */
  #rest = '';

  constructor(parent: HTMLElement) {
    this.#parent = parent;
  }

  /**
   * Appends text.
   * @param settled complete lines; they replace the incomplete one
   * @param rest the new incomplete line
   */
  append(settled: string, rest: string): void {
    let at = 0;
    while (at < settled.length) {
      const end = this.#endOfGroup(settled, at);
      this.#write(settled.slice(at, end));
      at = end;
    }
    if (settled === '' || rest !== '') this.#writeRest(rest);
  }

  /**
   * Replaces the text with highlighted segments.
   * @param segments the same text in pieces
   */
  colour(segments: readonly Segment[]): void {
    const left = segments.values();
    let segment = left.next().value;
    let used = 0;
    for (const group of this.#parent.children) {
      const nodes: Node[] = [];
      for (let room = group.textContent?.length ?? 0; room > 0 && segment;) {
        const text = segment.text.slice(used, used + room);
        nodes.push(coloured(text, segment.colour));
        room -= text.length;
        used += text.length;
        if (used < segment.text.length) continue;
        segment = left.next().value;
        used = 0;
      }
      group.replaceChildren(...nodes);
    }
    this.#text = undefined;
  }

  clear(): void {
    this.#parent.replaceChildren();
    this.#group = undefined;
    this.#text = undefined;
    this.#lines = 0;
    this.#rest = '';
  }

  /** Index at which the chunk is full or the text ends. Counts the lines. */
  #endOfGroup(text: string, from: number): number {
    if (this.#lines === linesInGroup) this.#startGroup();
    let end = from;
    while (end < text.length && this.#lines < linesInGroup) {
      const next = text.indexOf('\n', end);
      end = next < 0 ? text.length : next + 1;
      this.#lines++;
    }
    return end;
  }

  /** Replaces the incomplete line with complete ones. */
  #write(lines: string): void {
    this.#replaceRest(lines);
    this.#rest = '';
  }

  #writeRest(rest: string): void {
    if (rest !== '' && this.#rest === '' && this.#lines === linesInGroup) this.#startGroup();
    this.#replaceRest(rest);
    this.#rest = rest;
  }

  #replaceRest(text: string): void {
    if (!this.#group) this.#startGroup();
    const node = this.#text;
    if (!node || text === this.#rest) return;
    if (text.startsWith(this.#rest)) node.appendData(text.slice(this.#rest.length));
    else node.replaceData(node.length - this.#rest.length, this.#rest.length, text);
  }

  #startGroup(): void {
    this.#group = document.createElement('span');
    this.#group.className = 'lines';
    this.#text = document.createTextNode('');
    this.#group.append(this.#text);
    this.#parent.append(this.#group);
    this.#lines = 0;
  }
}

function coloured(text: string, colour: string | undefined): Node {
  if (colour === undefined) return document.createTextNode(text);
  const span = document.createElement('span');
  span.className = colour;
  span.textContent = text;
  return span;
}
