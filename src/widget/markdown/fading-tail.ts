import { matchMediaSafe } from '../platform/media-queries.ts';

/** Names of the highlights that a new text passes through; the style sheet has a colour for each, from faint to full. */
const names = [1, 2, 3, 4].map((step) => `agent-chat-fade-${step}`);
/** Duration of a step, in ms. */
const stepMs = 50;

/** New texts by step; the first holds the newest. Shared by all answers: highlights belong to the document. */
let fading: Highlight[] | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Length in characters of a text that is too long to be painted again and again. */
const maxLength = 3000;

/**
 * Fades new words at the end of a growing answer in. Highlights change colours only: no element is added, so that
 * layout, selection and screen readers do not notice. Without the API, or with reduced motion, words appear at once.
 * @source CSS Custom Highlight API Module Level 1
 */
export class FadingTail {
  readonly #body: Node;
  #text: Text | undefined;
  #length = 0;

  /** @param body the element around the answer; what is in it already stays as it is */
  constructor(body: Node) {
    this.#body = body;
    this.#advance();
  }

  /** Fades in what was appended to the last text since the last call. */
  update(): void {
    const [text, length] = [this.#text, this.#length];
    this.#advance();
    const start = text === this.#text ? length : 0;
    if (this.#text && start < this.#length && this.#length < maxLength) fadeIn(this.#text, start);
  }

  #advance(): void {
    let last = this.#body;
    while (last.lastChild) last = last.lastChild;
    this.#text = last instanceof Text ? last : undefined;
    this.#length = this.#text?.length ?? 0;
  }
}

function fadeIn(text: Text, start: number): void {
  if (!globalThis.CSS?.highlights || matchMediaSafe('(prefers-reduced-motion: reduce)').matches) return;
  fading ??= showAs(names.map(() => new Highlight()));
  // unlike a live range, it costs nothing while the text grows
  const range = { startContainer: text, startOffset: start, endContainer: text, endOffset: text.length };
  fading[0]?.add(new StaticRange(range));
  timer ??= setTimeout(goOn, stepMs, fading);
}

/** Moves all texts on by a step: the last highlight becomes the first, empty. */
function goOn(highlights: Highlight[]): void {
  highlights.at(-1)?.clear();
  fading = showAs([...highlights.slice(-1), ...highlights.slice(0, -1)]);
  timer = fading.some(({ size }) => size) ? setTimeout(goOn, stepMs, fading) : undefined;
}

function showAs(highlights: Highlight[]): Highlight[] {
  names.forEach((name, step) => CSS.highlights.set(name, highlights[step] as Highlight)); // as many as names
  return highlights;
}
