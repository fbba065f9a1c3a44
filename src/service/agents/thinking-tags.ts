const opening = '<think>';
const closing = '</think>';

/** Text of an answer, separated. */
interface Separated {
  readonly words: string;
  readonly thoughts: string;
}

/**
 * Separates the reasoning that a model writes between `<think>` and `</think>` from its answer. Reasoning models do so
 * where the server in front of them does not separate it.
 * @assumed only at the start of an answer; later tags belong to the answer
 */
export class ThinkingTags {
  #state: 'start' | 'thoughts' | 'gap' | 'words' = 'start';
  /** Text that may be part of a tag. */
  #held = '';

  /** Takes the next piece of an answer. */
  push(piece: string): Separated {
    const text = this.#held + piece;
    this.#held = '';
    switch (this.#state) {
      case 'start':
        return this.#start(text);
      case 'thoughts':
        return this.#think(text);
      case 'gap':
        return this.#skip(text);
      case 'words':
        return { words: text, thoughts: '' };
    }
  }

  /** What is left when the answer ends. */
  end(): Separated {
    const rest = this.#held;
    this.#held = '';
    return this.#state === 'thoughts' ? { words: '', thoughts: rest } : { words: rest, thoughts: '' };
  }

  #start(text: string): Separated {
    const trimmed = text.trimStart();
    if (opening.startsWith(trimmed)) {
      this.#held = text;
      return { words: '', thoughts: '' };
    }
    this.#state = trimmed.startsWith(opening) ? 'thoughts' : 'words';
    return this.#state === 'words'
      ? { words: text, thoughts: '' }
      : this.#think(trimmed.slice(opening.length));
  }

  #think(text: string): Separated {
    const end = text.indexOf(closing);
    if (end < 0) {
      this.#held = startOfTag(text);
      return { words: '', thoughts: text.slice(0, text.length - this.#held.length) };
    }
    this.#state = 'gap';
    return { ...this.#skip(text.slice(end + closing.length)), thoughts: text.slice(0, end) };
  }

  /** Skips blank lines between the reasoning and the answer. */
  #skip(text: string): Separated {
    const words = text.trimStart();
    if (words !== '') this.#state = 'words';
    return { words, thoughts: '' };
  }
}

/** The end of a text that may be the start of a closing tag. */
function startOfTag(text: string): string {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1) {
    if (closing.startsWith(text.slice(-length))) return text.slice(-length);
  }
  return '';
}
