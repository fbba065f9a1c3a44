import { ReactiveElement, type CSSResultGroup, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { loadEntities, MarkdownStream, needsEntities, needsFormulas } from '../../markdown/index.ts';
import type { Block } from '../../markdown/nodes.ts';
import { markdownParts } from '../theme/css-parts.ts';
import { strictPolicy, type UrlPolicy } from '../platform/url-policy.ts';
import { defineElement } from '../platform/define-element.ts';
import { loadModule } from '../platform/load-module.ts';
import { defaultStrings, type Strings } from '../i18n/strings.ts';
import { BlockListView } from './block-view.ts';
import { ChunkedChildren } from './chunked-children.ts';
import { freshWordsStyles, FreshWordsVeil } from './fresh-words.ts';
import { loadImageView, needsImages } from './lazy-image.ts';
import { markdownStyles } from './markdown.styles.ts';
import { LocalizedLabels, type ViewContext } from './view-context.ts';

/** Delay until skipped text is rendered, if no more arrives, in ms. */
const catchUpDelayMs = 200;
/** How long a growing text waits for the code of its first formula or image, in ms. */
const maxHoldMs = 1500;
/** Length in characters from which a text may be too long to render at once. */
const longTextLength = 20_000;
/** Length of the longest named entity, in characters. */
const maxEntityLength = 40;

/**
 * Renders Markdown that may still be growing. Setting `text` to a longer version of the same text updates in place:
 * finished blocks keep their DOM nodes.
 *
 * @element agent-chat-markdown
 * @csspart code - a block of code
 * @csspart table - a table
 * @csspart table-scroller - the scroll container of a wide table
 * @csspart link - a link
 * @csspart image - an image
 * @csspart media-load - the button in place of an image that waits for a click
 * @csspart citation-mark - the number of a source, where one was inserted
 */
export class MarkdownElement extends ReactiveElement implements ViewContext {
  static override styles: CSSResultGroup = [markdownStyles, freshWordsStyles];

  /** The Markdown so far. */
  @property({ attribute: false }) text = '';
  /** True while more text may follow: incomplete markup is rendered as if complete. */
  @property({ type: Boolean }) streaming = false;
  /** The policy for images. Default: each one waits for a click. */
  @property({ attribute: false, hasChanged: isOtherPolicy })
  policy: Pick<UrlPolicy, 'baseUrl' | 'images'> = strictPolicy;
  /** The strings of labels. */
  @property({ attribute: false }) words: Strings = defaultStrings;

  /** Labels of the rendered content. */
  readonly labels = new LocalizedLabels();
  readonly #body = document.createElement('div');
  readonly #stream = new MarkdownStream();
  readonly #sections = new ChunkedChildren(this.#body, createSection);
  /**
   * Limits how much of a long text is rendered; not set for shorter texts. Returns undefined while its code is loading
   * and nothing new can be shown.
   */
  #truncate: ((blocks: readonly Block[], length: number) => readonly Block[] | undefined) | undefined;
  /** True when rendered nodes of the last blocks are not as they were left. */
  #hasForeignChanges = false;
  /** True when the last render included all of the text. */
  #isWhole = true;
  readonly #view = new BlockListView((index) => this.#sections.parentOf(index), this);
  /** Fades in new words; undefined before the text has grown. */
  #veil: FreshWordsVeil | undefined;
  /** Position up to which the text was searched for rare entities. */
  #checked = 0;
  /** By what loads code: whether a growing text still waits for it. It waits once for each. */
  readonly #holds = new Map<unknown, boolean>();
  /** Keeps running when the element is disconnected: it may only be moving. */
  #catchUp: ReturnType<typeof setTimeout> | undefined;

  onForeignChange(): void {
    this.#hasForeignChanges = true;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    this.#body.className = 'body';
    root.append(this.#body);
    this.setAttribute('exportparts', markdownParts);
    return root;
  }

  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    if (!this.text.startsWith(changed.get('text') ?? '')) this.#checked = 0; // another text
    if (changed.has('words') || changed.has('policy')) this.labels.update(this.renderRoot);
    if (changed.has('text') || changed.has('streaming')) this.#show(false);
  }

  #show(catchUp: boolean): void {
    // a failed load is repeated when there is more text, not each time the text is drawn
    if (!catchUp) {
      const fresh = this.text.slice(this.#checked);
      if (needsEntities(fresh)) void loadEntities().then(() => this.#parseAgain());
      if (needsFormulas(fresh)) void this.#holdFor(loadFormulas);
      if (needsImages(fresh)) void this.#holdFor(loadImageView);
      this.#checked = Math.max(0, this.text.length - maxEntityLength);
    }
    if (this.streaming && [...this.#holds.values()].includes(true)) return;
    const from = this.#stream.update(this.text, { open: this.streaming, catchUp });
    if (this.text.length > longTextLength) this.#truncate ??= this.#loadTruncation();
    const all = this.#stream.blocks;
    const blocks = this.#truncate ? this.#truncate(all, this.text.length) : all;
    const isWhole = blocks === all;
    if (blocks) {
      const first = isWhole && this.#isWhole ? from : 0;
      this.#view.update(blocks, first);
      if (this.#hasForeignChanges) {
        this.#hasForeignChanges = false;
        this.#view.truncate(first);
        this.#view.update(blocks, first);
      }
      this.#sections.trim(blocks.length);
    }
    this.#isWhole = isWhole;
    if (this.streaming) this.#veil ??= new FreshWordsVeil(this.#body);
    this.#veil?.update(this.text.length, this.streaming);
    clearTimeout(this.#catchUp);
    if (this.#stream.behind) this.#catchUp = setTimeout(() => this.#show(true), catchUpDelayMs);
  }

  /**
   * Loads the code that limits long texts. A text that arrives long waits for it; a text that has just grown long
   * does not. If it cannot be loaded, everything is rendered.
   */
  #loadTruncation(): (blocks: readonly Block[], length: number) => readonly Block[] | undefined {
    void loadModule(this, 'long texts', () => import('./truncate-long-text.ts')).then((module) => {
      const again = (): void => this.#show(true);
      this.#truncate = module?.truncateBlocks(this.#body, this, again) ?? ((blocks) => blocks);
      again();
    });
    return (blocks, length) => (length < 2 * longTextLength ? blocks : undefined);
  }

  /** Loads what draws a part of the text. A growing text waits for it: nothing changes its size while it is read. */
  async #holdFor(load: (element: MarkdownElement) => Promise<void>): Promise<void> {
    const release = (): void => {
      this.#holds.set(load, false);
      this.#parseAgain();
    };
    if (!this.#holds.has(load)) this.#holds.set(load, true);
    setTimeout(() => this.#holds.get(load) && release(), maxHoldMs);
    await load(this);
    release();
  }

  /** Parses the text again, now that code for it has loaded, and updates what differs in place. */
  #parseAgain(): void {
    this.#stream.reset();
    this.#show(true);
  }
}

function isOtherPolicy(
  next: MarkdownElement['policy'],
  before: MarkdownElement['policy'] | undefined,
): boolean {
  return next.baseUrl !== before?.baseUrl || next.images !== before.images;
}

async function loadFormulas(element: MarkdownElement): Promise<void> {
  const module = await loadModule(element, 'formulas', () => import('./math/formula-view.ts'));
  module?.installFormulas();
  if (element.streaming) await module?.loadDraw(element);
}

function createSection(): { readonly outer: HTMLElement; readonly inner: HTMLElement } {
  const section = document.createElement('div');
  section.className = 'section';
  return { outer: section, inner: section };
}

defineElement('agent-chat-markdown', MarkdownElement);

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-markdown': MarkdownElement;
  }
}
