import type { Block, CodeBlock } from '../../../markdown/nodes.ts';
import { copyText } from '../../platform/copy-text.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { adoptStyles, adoptStylesOnceInserted } from '../../platform/adopt-styles.ts';
import { nextPaint } from '../../platform/scheduling.ts';
import { CodeLines } from './code-lines.ts';
import { codeBlockStyles } from './code-block.styles.ts';
import { languageName, languageOf } from './languages.ts';
import type { BlockContent, ViewContext } from '../view-context.ts';

/** How long the button shows that the code was copied, in ms. */
const copiedForMs = 2000;
/** Maximum number of characters to highlight; more would block the page. */
const maxHighlightedLength = 20_000;

type ButtonWord = 'markdown.copy' | 'markdown.copied' | 'markdown.copy-failed' | 'markdown.wrap';

/** A code block with its language, a copy button and horizontal scroll. While it streams, text is only appended. */
export class CodeBlockView implements BlockContent {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #label = document.createElement('span');
  readonly #pre = document.createElement('pre');
  readonly #code = document.createElement('code');
  readonly #lines = new CodeLines(this.#code);
  #block: CodeBlock | undefined;
  /** Number of stable pieces in the DOM. */
  #stableCount = 0;

  /** @param element the element to fill; replaces its content */
  constructor(context: ViewContext, element: HTMLElement) {
    this.#context = context;
    this.element = element;
    this.element.setAttribute('role', 'group');
    this.#pre.tabIndex = 0;
    this.#pre.dir = 'ltr';
    this.#pre.append(this.#code);
    this.element.replaceChildren(this.#createHead(), this.#pre);
    adoptStylesOnceInserted(this.element, codeBlockStyles.styleSheet);
  }

  update(block: Block): boolean {
    if (block.kind !== 'code') return false;
    const old = this.#block;
    if (old?.info !== block.info) this.#name(languageName(block.info));
    if (old && old.settled !== block.settled) this.#resetUnlessSame(old, block);
    this.#lines.append(block.settled.slice(this.#stableCount).join(''), block.rest);
    this.#stableCount = block.settled.length;
    this.#block = block;
    if (block.closed && !old?.closed) this.#highlight(block);
    return true;
  }

  /** Handles a new array of pieces: the lines are written again, unless they are complete and the same. */
  #resetUnlessSame(old: CodeBlock, block: CodeBlock): void {
    if (old.rest === '' && block.rest === '' && codeTextOf(old) === codeTextOf(block)) {
      this.#stableCount = block.settled.length;
      return;
    }
    this.#lines.clear();
    this.#stableCount = 0;
  }

  /** Highlights finished code. Unsupported or very long code stays plain. */
  #highlight(block: CodeBlock): void {
    const language = languageOf(block.info);
    const code = codeTextOf(block);
    if (language === '' || code.length > maxHighlightedLength) return;
    const colour = async (): Promise<void> => {
      const [{ highlight }, { highlightStyles }] = await Promise.all([
        import('./highlight.ts'),
        import('./highlight.styles.ts'),
        nextPaint(), // the last line is shown first
      ]);
      const segments = highlight(code, language);
      if (!segments || this.#block !== block) return;
      adoptStyles(this.element, highlightStyles.styleSheet);
      this.#lines.colour(segments);
    };
    // without the highlighter, code stays plain
    colour().catch(() => undefined);
  }

  #name(language: string): void {
    this.#label.textContent = language;
    this.#context.labels.add(this.element, () => {
      this.element.ariaLabel = `${this.#context.words.t('markdown.code')} ${language}`.trim();
    });
  }

  #createHead(): HTMLElement {
    const head = document.createElement('div');
    head.className = 'code-head';
    head.append(this.#label, this.#createWrapButton(), this.#createCopyButton());
    return head;
  }

  #createWrapButton(): HTMLElement {
    const button = this.#createButton(() => 'markdown.wrap');
    button.ariaPressed = 'false';
    button.addEventListener('click', () => {
      button.ariaPressed = String(this.#pre.classList.toggle('wrapped'));
    });
    return button;
  }

  #createCopyButton(): HTMLElement {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: ButtonWord = 'markdown.copy';
    const button = this.#createButton(() => shown);
    button.addEventListener('click', () => {
      const code = this.#block ? codeTextOf(this.#block).replace(/\n$/, '') : '';
      void copyText(code, button).then((done) => show(done ? 'markdown.copied' : 'markdown.copy-failed'));
    });
    const say = (key: ButtonWord): string => {
      shown = key;
      return (button.textContent = this.#context.words.t(key));
    };
    const show = (key: ButtonWord): void => {
      button.dispatchEvent(new AnnounceEvent(say(key)));
      clearTimeout(timer);
      timer = setTimeout(() => say('markdown.copy'), copiedForMs);
    };
    return button;
  }

  /** @param word returns the button's current label */
  #createButton(word: () => ButtonWord): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    this.#context.labels.add(button, () => {
      button.textContent = this.#context.words.t(word());
    });
    return button;
  }
}

function codeTextOf(block: CodeBlock): string {
  return block.settled.join('') + block.rest;
}
