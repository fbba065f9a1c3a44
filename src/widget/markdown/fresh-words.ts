import { css } from 'lit';

/** Time without new words after which the last ones fade in, in ms: longer than the interval between two draws. */
const quietMs = 120;
/** Duration of the fade, in ms, unless the page has set another. */
const fadeMs = 200;
/** Time after which a veil has certainly gone, in ms. */
const goneMs = 1000;
/** A text that grows by more characters at once is restored, or too fast to be read as it comes. */
const maxAdded = 100;
/** Greatest width of the veil, in em; the style sheet has the same. */
const maxWidth = 12;
/** Width of a character, in em. */
const characterWidth = 0.5;

/**
 * The veil over new words: a box at the end of the text, as wide as nothing, whose background lies over the text before
 * it. It covers the end of the last line and, at its other side, the end of the line before: a word that starts a line
 * does not uncover that. As part of the line it moves with the text, and it is no element.
 */
export const freshWordsStyles = css`
  @media screen and (prefers-reduced-motion: no-preference) and (forced-colors: none) {
    [data-fresh]::after {
      --_veil: linear-gradient(90deg, transparent, var(--_ground, var(--_surface)) calc(100% - 0.3em));
      --_rest: calc(12em - var(--_fresh));
      --_size: calc(var(--_fresh) + 0.3em) 1lh;
      content: '';
      padding: 1lh 100% 0.15em 12em;
      margin-inline: -12em -100%;
      background:
        var(--_veil) left var(--_rest) bottom / var(--_size) no-repeat,
        var(--_veil) right bottom 1lh / var(--_size) no-repeat;
      position: relative; /* above the text also where it stands before it, in right-to-left lines */
      opacity: 0;
      transition: opacity var(--_duration-slow);
      pointer-events: none;
    }

    [data-fresh]:dir(rtl)::after {
      --_veil: linear-gradient(-90deg, transparent, var(--_ground, var(--_surface)) calc(100% - 0.3em));
      padding-inline: 12em 100%;
      background-position:
        right var(--_rest) bottom,
        left bottom 1lh;
    }

    [data-fresh='on']::after {
      opacity: 1;
      transition: none;
    }

    /* nothing beside the text is veiled, except the mark of an item, which is as new */
    [data-fresh]:not(li) {
      clip-path: inset(-6px);
    }
  }
`;

/**
 * Lets new words of a growing text come in softly: a veil in the colour of the ground lies over them, as wide as what
 * was written in the time of a fade, and goes when nothing follows. It reads no layout and adds no node.
 */
export class FreshWordsVeil {
  readonly #body: Element;
  /** The colour below the text; `''` for the panel's own, undefined until there is a veil. */
  #ground: string | undefined;
  /** Length of the source. */
  #length = 0;
  /** The last text and its length. */
  #text: Node | undefined;
  #textLength = 0;
  /** The element that ends with the last text. */
  #block: HTMLElement | undefined;
  /** The one before, as long as half of its veil is left. */
  #left: HTMLElement | undefined;
  #width = 0;
  #time = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param body the element around the answer */
  constructor(body: Element) {
    this.#body = body;
  }

  /**
   * Veils what was added at the end of the text since the last call. The first words come at once.
   * @param length of the answer's source, in characters
   */
  update(length: number, isStreaming: boolean): void {
    const text = endOf(this.#body);
    const textLength = text instanceof Text ? text.length : 0;
    const added = text === this.#text ? textLength - this.#textLength : textLength;
    const comesAtOnce = !this.#text || length - this.#length > maxAdded;
    const block = blockOf(text);
    this.#clearLeft();
    if (block !== this.#block) this.#leave();
    this.#block = block;
    this.#text = text;
    this.#textLength = textLength;
    this.#length = length;
    if (!isStreaming || !block || added < 1 || comesAtOnce || document.hidden || isTurned(block)) return;
    const now = performance.now();
    const left = this.#width * Math.exp((this.#time - now) / fadeMs);
    // not wider than before by more than the new words: others do not go under the veil again
    this.#width = Math.min(maxWidth, left + added * characterWidth);
    this.#time = now;
    setWidth(block, this.#width);
    this.#ground ??= groundOf(this.#body);
    if (this.#ground) block.style.setProperty('--_ground', this.#ground);
    block.dataset['fresh'] = 'on';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fadeIn(), quietMs);
  }

  /**
   * Leaves a block: half of its veil goes now, the rest with the next draw. A transition would draw every frame of an
   * answer with many blocks. Where the block went on with a list or code, the veil would take a line of its own.
   */
  #leave(): void {
    const block = this.#block;
    if (!block?.dataset['fresh']) return;
    if (blockOf(endOf(block)) !== block) return void clear(block);
    setWidth(block, this.#width / 2);
    this.#left = block;
  }

  #clearLeft(): void {
    if (this.#left) clear(this.#left);
    this.#left = undefined;
  }

  #fadeIn(): void {
    this.#clearLeft();
    const block = this.#block;
    if (block?.dataset['fresh'] !== 'on') return;
    block.dataset['fresh'] = 'off';
    setTimeout(() => block.dataset['fresh'] === 'off' && clear(block), goneMs);
  }
}

function setWidth(block: HTMLElement, width: number): void {
  block.style.setProperty('--_fresh', `${String(Math.ceil(width))}em`);
}

function clear(block: HTMLElement): void {
  delete block.dataset['fresh'];
  block.removeAttribute('style');
}

/** The last node inside, however deep. */
function endOf(node: Node): Node {
  return node.lastChild ? endOf(node.lastChild) : node;
}

/** The element whose lines the text is in; undefined in code and tables, which have grounds of their own. */
function blockOf(text: Node): HTMLElement | undefined {
  const lines = 'p, li, h1, h2, h3, h4, h5, h6';
  const block = text.parentElement?.closest<HTMLElement>(`${lines}, .code, .table, .display`);
  return block?.matches(lines) ? block : undefined;
}

/** Whether the lines of an item or a quote run against its direction, which is the one of the whole list. */
function isTurned(block: Element): boolean {
  if (!block.matches('li, blockquote > p')) return false;
  const [letter = ''] = /\p{L}/u.exec(block.textContent ?? '') ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(letter) !== block.matches(':dir(rtl)');
}

/** The colour on which a page has put an answer; `''` for the panel's, 'transparent' where it is none. */
function groundOf(element: Element): string {
  for (
    let at: Element | null = element;
    at && at.localName !== 'agent-chat-transcript';
    at = at.assignedSlot ?? at.parentElement ?? hostOf(at)
  ) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    if (backgroundImage !== 'none') return 'transparent';
    if (backgroundColor !== 'rgba(0, 0, 0, 0)')
      return /rgba|\//.test(backgroundColor) ? 'transparent' : backgroundColor;
  }
  return '';
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
