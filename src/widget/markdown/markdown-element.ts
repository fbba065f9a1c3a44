import { ReactiveElement, type CSSResultGroup, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { loadEntities, MarkdownStream, needsEntities } from '../../markdown/index.ts';
import type { Block } from '../../markdown/nodes.ts';
import { markdownParts } from '../theme/content-parts.ts';
import { strictPolicy, type UrlPolicy } from '../platform/url-policy.ts';
import { defineElement } from '../platform/define-element.ts';
import { loadModule } from '../platform/load-module.ts';
import { defaultStrings, type Strings } from '../i18n/strings.ts';
import { BlockListView } from './block-view.ts';
import { ChunkedChildren } from './chunked-children.ts';
import { LocalizedLabels } from './localized-labels.ts';
import { markdownStyles } from './markdown.styles.ts';
import type { ViewContext } from './view-context.ts';

/** Milliseconds after which text that was left behind is shown, when no more comes. */
const catchUpAfter = 200;
/** Characters; a longer text may be more than can be drawn at once. */
const longText = 20_000;
/** No named entity is longer, in characters. */
const longestEntity = 40;

/**
 * Shows Markdown that may still be growing. Setting `text` to a longer form of the same text adds to what is there:
 * finished blocks keep their very nodes.
 *
 * @element agent-chat-markdown
 * @csspart code - a block of code
 * @csspart table - a table
 * @csspart table-scroller - what a wide table scrolls in
 * @csspart link - a link
 * @csspart image - an image
 * @csspart media-load - the button in place of an image that waits for a click
 * @csspart citation-mark - number of a source, where the host of the text put one
 */
export class MarkdownElement extends ReactiveElement implements ViewContext {
  static override styles: CSSResultGroup = markdownStyles;

  /** The Markdown so far. */
  @property({ attribute: false }) text = '';
  /** More text may follow: unfinished marks are shown as if finished. */
  @property({ type: Boolean }) streaming = false;
  /** Where images may come from. Default: nowhere, each waits for a click. */
  @property({ attribute: false, hasChanged: isOtherPolicy })
  policy: Pick<UrlPolicy, 'baseUrl' | 'images'> = strictPolicy;
  /** The language of labels. */
  @property({ attribute: false }) words: Strings = defaultStrings;

  /** Labels of what is shown. */
  readonly labels = new LocalizedLabels();
  readonly #body = document.createElement('div');
  readonly #stream = new MarkdownStream();
  readonly #sections = new ChunkedChildren(this.#body, createSection);
  /** Gives what is drawn of a long text; nothing new where the part that can tell is waited for. */
  #bound: ((blocks: readonly Block[], length: number) => readonly Block[] | undefined) | undefined;
  /** All of the text was drawn last time. */
  #isWhole = true;
  readonly #view = new BlockListView((index) => this.#sections.parentOf(index), this);
  /** Up to here the text was searched for unusual entities. */
  #checked = 0;
  /** Runs on in an element that is taken out: it may be on its way to another place. */
  #catchUp: ReturnType<typeof setTimeout> | undefined;

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    this.#body.className = 'body';
    root.append(this.#body);
    this.setAttribute('exportparts', markdownParts);
    return root;
  }

  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    if ((changed.has('words') || changed.has('policy')) && this.hasUpdated)
      this.labels.update(this.renderRoot);
    if (changed.has('text') || changed.has('streaming')) this.#show(false);
  }

  #show(catchUp: boolean): void {
    const from = this.#stream.update(this.text, { open: this.streaming, catchUp });
    if (this.text.length > longText) this.#bound ??= this.#bringBound();
    const all = this.#stream.blocks;
    const blocks = this.#bound ? this.#bound(all, this.text.length) : all;
    const isWhole = blocks === all;
    if (blocks) {
      this.#view.update(blocks, isWhole && this.#isWhole ? from : 0);
      this.#sections.trim(blocks.length);
    }
    this.#isWhole = isWhole;
    clearTimeout(this.#catchUp);
    if (this.#stream.behind) this.#catchUp = setTimeout(() => this.#show(true), catchUpAfter);
    if (needsEntities(this.text.slice(this.#checked))) void loadEntities().then(() => this.#showAnew());
    this.#checked = Math.max(0, this.text.length - longestEntity);
  }

  /**
   * What comes long waits for the part that bounds it; what has just grown long does not. Without that part all of it is
   * drawn.
   */
  #bringBound(): (blocks: readonly Block[], length: number) => readonly Block[] | undefined {
    void loadModule(this, 'What bounds long text', () => import('./truncate-long-text.ts')).then((part) => {
      const again = (): void => this.#show(true);
      this.#bound = part?.truncateBlocks(this.#body, this, again) ?? ((blocks) => blocks);
      again();
    });
    return (blocks, length) => (length < 2 * longText ? blocks : undefined);
  }

  /** Every entity is known now: the text is parsed again, and what differs is changed in place. */
  #showAnew(): void {
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
