import type { Block, CodeBlock } from '../../../markdown/nodes.ts';
import { copyText } from '../../platform/copy-text.ts';
import { AnnounceEvent } from '../../events/announce-event.ts';
import { CodeLines } from './code-lines.ts';
import { codeViewStyles } from './code-block.styles.ts';
import { languageName, languageOf } from './languages.ts';
import type { BlockContent, ViewContext } from '../view-context.ts';

/** Milliseconds for which a button says that it has copied. */
const copiedFor = 2000;
/** Characters; colouring more would hold up the page. */
const longestHighlighted = 20_000;

type ButtonWord = 'markdown.copy' | 'markdown.copied' | 'markdown.copy-failed' | 'markdown.wrap';

/** Code with its language, a copy button and sideways scroll. Text is only ever added while it is written. */
export class CodeBlockView implements BlockContent {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #label = document.createElement('span');
  readonly #pre = document.createElement('pre');
  readonly #code = document.createElement('code');
  readonly #lines = new CodeLines(this.#code);
  #block: CodeBlock | undefined;
  /** How many of the settled pieces stand in the page. */
  #taken = 0;

  /** @param element What it fills, in place of what stands there. */
  constructor(context: ViewContext, element: HTMLElement) {
    this.#context = context;
    this.element = element;
    this.element.setAttribute('role', 'group');
    this.#pre.tabIndex = 0;
    this.#pre.dir = 'ltr';
    this.#pre.append(this.#code);
    this.element.replaceChildren(this.#createHead(), this.#pre);
    // it stands in its place by then, and nothing has been painted
    queueMicrotask(() => this.#bringStyles(codeViewStyles.styleSheet));
  }

  update(block: Block): boolean {
    if (block.kind !== 'code') return false;
    const old = this.#block;
    if (old?.info !== block.info) this.#name(languageName(block.info));
    if (old && old.settled !== block.settled) this.#compare(old, block);
    this.#lines.append(block.settled.slice(this.#taken).join(''), block.rest);
    this.#taken = block.settled.length;
    this.#block = block;
    if (block.closed && !old?.closed) this.#highlight(block);
    return true;
  }

  /** Another row of pieces: nothing changes when they are the same whole lines. */
  #compare(old: CodeBlock, block: CodeBlock): void {
    if (old.rest === '' && block.rest === '' && codeTextOf(old) === codeTextOf(block)) {
      this.#taken = block.settled.length;
      return;
    }
    this.#lines.clear();
    this.#taken = 0;
  }

  /** Colours the finished code. What cannot be coloured, or is very long, stays as it is. */
  #highlight(block: CodeBlock): void {
    const language = languageOf(block.info);
    const code = codeTextOf(block);
    if (language === '' || code.length > longestHighlighted) return;
    const colour = async (): Promise<void> => {
      const [{ highlight }, { highlightStyles }] = await Promise.all([
        import('./highlight.ts'),
        import('./highlight.styles.ts'),
      ]);
      const segments = highlight(code, language);
      if (!segments || this.#block !== block) return;
      this.#bringStyles(highlightStyles.styleSheet);
      this.#lines.colour(segments);
    };
    // without the part that colours it, code is as readable
    colour().catch(() => undefined);
  }

  /** A sheet, once for all code in the same tree. */
  #bringStyles(styleSheet: CSSStyleSheet | undefined): void {
    const root = this.element.getRootNode();
    if (!(root instanceof ShadowRoot) || !styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
    root.adoptedStyleSheets.push(styleSheet);
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
      timer = setTimeout(() => say('markdown.copy'), copiedFor);
    };
    return button;
  }

  /** @param word What the button says at the moment. */
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
