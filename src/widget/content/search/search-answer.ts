import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { readText } from '../../../conversation/read-values.ts';
import { isAllowed } from '../../platform/url-policy.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { deepestFocus } from '../../platform/focus.ts';
import { defineElement } from '../../platform/define-element.ts';
import { CitationMarkElement, type CitationSelectEvent } from './citation-mark.ts';
import { citationMarks, readCitations, type Citation } from './citations.ts';
import { ContentElement } from '../content-element.ts';
import { hostnameOf, renderExternalLink } from '../content-templates.ts';
import { contentStyles } from '../content.styles.ts';
import { popoverStyles } from '../popover.styles.ts';
import { insertPlaceholders, CitationMarkInserter } from './insert-citation-marks.ts';
import { renderText } from '../render-item.ts';
import { text, type Fields } from '../read-item.ts';
import { revealEntry } from '../reveal-entry.ts';
import { searchAnswerStyles } from './search-answer.styles.ts';
import { SourcePreviewController } from './source-preview-controller.ts';
import { textFragmentUrl } from './text-fragment.ts';

/** Number of characters of an excerpt that are spoken with the source's name. */
const maxSpoken = 300;

/**
 * An answer with its sources: numbered marks in the text, and the sources below with title and host. Both show a
 * preview under the pointer and with keyboard focus. A source opens to its excerpt and a link; a mark opens its source.
 *
 * @summary An answer from documents.
 * @element agent-chat-search-answer
 * @csspart text - The text.
 * @csspart citation-mark - A number in the text.
 * @csspart sources - The row of sources.
 * @csspart source - One source.
 */
export class SearchAnswerElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles, popoverStyles, searchAnswerStyles];

  @state() private opened = 0;
  /** The mark that opened the current source. */
  #opener: HTMLElement | undefined;
  #labels: ReadonlyMap<number, string> = new Map();
  readonly #placer = new CitationMarkInserter();
  readonly #preview = new SourcePreviewController(this);
  // The text is rendered by another element, asynchronously and again when it grows.
  readonly #observer = new MutationObserver(() => this.#placeMarks());

  #watched: ShadowRoot | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#watched = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#watch();
  }

  /** Updates existing marks after a change of language or title. */
  protected override updated(): void {
    this.#watch();
    const marks = this.#markdown?.shadowRoot?.querySelectorAll('agent-chat-citation-mark') ?? [];
    for (const mark of marks) mark.label = this.#labelOf(mark.number);
  }

  protected override renderContent(fields: Fields): unknown {
    const words = readText(fields['text']);
    const citations = readCitations(fields, words.length);
    const marks = citationMarks(citations);
    this.#labels = new Map(citations.map((citation) => [citation.number, this.#spoken(citation)]));
    return html`
      <div @agent-chat-mark-select=${this.#select}>
        ${renderText(this.context.streaming ? words : insertPlaceholders(words, marks), this.context)}
      </div>
      ${citations.length ? this.renderSources(citations, text(fields['citations_title'])) : nothing}
    `;
  }

  private renderSources(citations: readonly Citation[], title: string): unknown {
    const opened = citations[this.opened - 1];
    const label = title.trim() || this.t('sources.count', { count: citations.length });
    return html`${title.trim() ? html`<p class="sources-title" dir="auto" aria-hidden="true">${title}</p>` : nothing}
      <ul class="sources scrolls" part="sources" aria-label=${label} @focusin=${revealEntry}>
        ${citations.map((citation) => this.renderSource(citation))}
      </ul>
      ${opened ? this.renderExcerpt(opened) : nothing}
      ${this.renderPreview(citations[this.#preview.number - 1])}`;
  }

  /** Only for the eye: the name and the description of a source say the same. */
  private renderPreview(citation: Citation | undefined): unknown {
    const host = citation?.address ? hostnameOf(citation.address) : '';
    return html`<div class="preview popover" popover="manual" aria-hidden="true">
      ${
        citation && citation.number !== this.opened
          ? html`<p class="title" dir="auto">${this.#title(citation)}</p>
              ${citation.excerpt ? html`<p class="words clamped" dir="auto">${citation.excerpt.slice(0, 1000)}</p>` : nothing}
              ${host ? html`<p class="host" dir="ltr">${host}</p>` : nothing}`
          : nothing
      }
    </div>`;
  }

  private renderSource(citation: Citation): unknown {
    const expanded = this.opened === citation.number;
    return html`<li>
      <button
        class="source"
        part="source"
        aria-expanded=${expanded}
        data-number=${citation.number}
        aria-describedby=${citation.excerpt ? `words-${citation.number}` : nothing}
        @click=${() => {
          this.opened = expanded ? 0 : citation.number;
          this.#opener = undefined;
        }}
        @keydown=${this.#onKey}
      >
        <span dir="auto">${citation.number} · ${this.#title(citation)}</span>
        ${citation.address ? html`<small>${this.renderIcon(citation.address)}${hostnameOf(citation.address)}</small>` : nothing}
      </button>
      ${citation.excerpt ? html`<span id="words-${citation.number}" hidden>${citation.excerpt.slice(0, maxSpoken)}</span>` : nothing}
    </li>`;
  }

  /** The site's icon, from an allowed origin only: a request tells the site that the answer was read. */
  private renderIcon(address: URL): unknown {
    const { images, baseUrl } = this.context.policy;
    const source = new URL('/favicon.ico', address);
    if (!isAllowed(source, images, baseUrl)) return nothing;
    const hide = ({ currentTarget }: Event): void => (currentTarget as Element).remove(); // the image below
    return html`<img src=${source.href} alt="" loading="lazy" referrerpolicy="no-referrer" @error=${hide} />`;
  }

  private renderExcerpt(citation: Citation): unknown {
    return html`<div
      class="excerpt"
      role="group"
      tabindex="-1"
      aria-label=${this.#title(citation)}
      @keydown=${this.#onKey}
    >
      <p class="title" dir="auto">${this.#title(citation)}</p>
      ${citation.excerpt ? html`<p class="words" dir="auto">${citation.excerpt}</p>` : nothing}
      ${
        citation.address
          ? html`<div>
              ${renderExternalLink(
                this.context.words,
                textFragmentUrl(citation.address, citation.excerpt),
                this.t('link.open', { host: hostnameOf(citation.address) }),
              )}
            </div>`
          : nothing
      }
    </div>`;
  }

  #spoken(citation: Citation): string {
    return this.t('sources.mark', { number: citation.number, title: this.#title(citation) });
  }

  #title(citation: Citation): string {
    return citation.title || this.t('sources.untitled', { number: citation.number });
  }

  #watch(): void {
    const text = this.#markdown?.shadowRoot;
    if (!text || text === this.#watched) return;
    this.#watched = text;
    this.#preview.listen(text);
    this.#observer.observe(text, { subtree: true, childList: true, characterData: true });
    this.#placeMarks();
  }

  #select(event: CitationSelectEvent): void {
    const { target } = event;
    const opener = target instanceof Element ? deepestFocus(target) : undefined;
    this.#opener = opener instanceof HTMLElement ? opener : undefined;
    this.opened = event.number;
    void this.#showOpened();
  }

  /** Escape closes the open source and returns focus to its mark; it does not close the panel. */
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || this.opened === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const source = this.renderRoot.querySelector<HTMLElement>('.source[aria-expanded=true]');
    this.opened = 0;
    this.#preview.focusQuietly(() => (this.#opener?.isConnected ? this.#opener : source)?.focus());
  };

  async #showOpened(): Promise<void> {
    await this.updateComplete;
    const excerpt = this.renderRoot.querySelector<HTMLElement>('.excerpt');
    excerpt?.focus({ preventScroll: true });
    excerpt?.scrollIntoView({ block: 'nearest' });
    const source = this.renderRoot.querySelector('.source[aria-expanded=true]');
    source?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #placeMarks(): void {
    const text = this.#markdown?.shadowRoot;
    if (!text) return;
    this.#placer.place(text, (number) => {
      defineElement('agent-chat-citation-mark', CitationMarkElement);
      const mark = document.createElement('agent-chat-citation-mark');
      mark.setAttribute('exportparts', 'citation-mark');
      mark.number = number;
      mark.label = this.#labelOf(number);
      return mark;
    });
  }

  #labelOf(number: number): string {
    return this.#labels.get(number) ?? String(number);
  }

  get #markdown(): Element | null {
    return this.renderRoot.querySelector('agent-chat-markdown');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-search-answer': SearchAnswerElement;
  }
}
