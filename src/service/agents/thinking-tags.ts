/** The tags of model families. */
const pairs = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
] as const;

/** Text of an answer, separated. */
interface Separated {
  readonly words: string;
  readonly thoughts: string;
}

/** Whether a text has the end of reasoning. */
export function closesThinking(text: string): boolean {
  return pairs.some(([, closing]) => text.includes(closing));
}

/**
 * Separates the reasoning that a model writes between tags such as `<think>` and `</think>` from its answer. Reasoning
 * models do so where the server in front of them does not separate it.
 * @assumed only at the start of an answer; later tags belong to the answer
 */
export class ThinkingTags {
  #state: 'start' | 'thoughts' | 'gap' | 'words' = 'start';
  /** Text that may be part of a tag. */
  #held = '';
  #closings: readonly string[] = pairs.map(([, closing]) => closing);
  readonly #startsWithReasoning: boolean;

  /** @param options.startsWithReasoning whether the server has written the opening tag itself, as some templates do */
  constructor(options: { readonly startsWithReasoning?: boolean } = {}) {
    this.#startsWithReasoning = options.startsWithReasoning ?? false;
  }

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
    const pair = pairs.find(([opening]) => trimmed.startsWith(opening));
    if (!pair && pairs.some(([opening]) => opening.startsWith(trimmed))) {
      this.#held = text;
      return { words: '', thoughts: '' };
    }
    this.#state = pair || this.#startsWithReasoning ? 'thoughts' : 'words';
    if (this.#state === 'words') return { words: text, thoughts: '' };
    if (!pair) return this.#think(text);
    this.#closings = [pair[1]];
    return this.#think(trimmed.slice(pair[0].length));
  }

  #think(text: string): Separated {
    const closing = this.#closings.find((tag) => text.includes(tag));
    if (closing === undefined) {
      this.#held = startOfTag(text, this.#closings);
      return { words: '', thoughts: text.slice(0, text.length - this.#held.length) };
    }
    const end = text.indexOf(closing);
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
function startOfTag(text: string, closings: readonly string[]): string {
  const longest = Math.max(...closings.map(({ length }) => length));
  for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
    const rest = text.slice(-length);
    if (closings.some((closing) => closing.startsWith(rest))) return rest;
  }
  return '';
}
