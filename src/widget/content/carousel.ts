import { html, nothing } from 'lit';
import { query, state } from 'lit/decorators.js';
import type { ConversationItem } from '../../conversation/conversation.ts';
import { matchMediaSafe } from '../platform/media-queries.ts';
import { ownPixels } from '../platform/own-pixels.ts';
import { icon, nextIcon } from '../theme/icons.ts';
import { backIcon } from '../theme/item-icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderItemHeading } from './content-templates.ts';
import { contentStyles } from './content.styles.ts';
import { innerItems, text, type Fields } from './read-item.ts';
import { revealEntry } from './reveal-entry.ts';
import { carouselStyles } from './carousel.styles.ts';

/**
 * Cards side by side, moved one at a time by swiping, by buttons or by keyboard.
 *
 * @summary A row of cards.
 * @element agent-chat-carousel
 * @csspart carousel - The row.
 * @csspart carousel-slide - One slide.
 */
export class CarouselElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles, carouselStyles];

  @state() private index = 0;
  @query('.slides') private slides!: HTMLElement;

  protected override renderContent(fields: Fields): unknown {
    const items = innerItems(fields['items'], this.item, 'items').map(asSlide);
    if (!items.length) return renderItemHeading(fields);
    const title = text(fields['title']);
    return html`
      ${renderItemHeading(fields)}
      <div role="group" aria-label=${title.trim() || this.t('carousel.label')}>
        <ul
          class="slides"
          part="carousel"
          tabindex="0"
          aria-label=${this.#position(items.length)}
          @scroll=${this.#follow}
          @focusin=${revealEntry}
        >
          ${this.renderInner(items).map((slide) => html`<li part="carousel-slide">${slide}</li>`)}
        </ul>
        ${items.length > 1 ? this.renderSteps(items.length) : nothing}
      </div>
    `;
  }

  private renderSteps(count: number): unknown {
    const step = (to: number, label: string, shape: typeof backIcon): unknown =>
      html`<button
        class="icon-button small"
        aria-label=${label}
        aria-disabled=${to < 0 || to >= count ? 'true' : nothing}
        @click=${() => this.#show(to)}
      >
        ${icon(shape, 'directional')}
      </button>`;
    return html`<div class="steps">
      ${step(this.index - 1, this.t('carousel.previous'), backIcon)}
      <span>${this.#position(count)}</span>
      ${step(this.index + 1, this.t('carousel.next'), nextIcon)}
    </div>`;
  }

  #position(count: number): string {
    return this.t('carousel.position', { index: this.index + 1, count });
  }

  #show(index: number): void {
    const first = this.slides.children[0];
    const slide = this.slides.children[index];
    if (!first || !slide) return;
    const ahead = slide.getBoundingClientRect().x - first.getBoundingClientRect().x;
    const edge = ahead * ownPixels(this.slides);
    const isStill = matchMediaSafe('(prefers-reduced-motion: reduce)').matches;
    this.slides.scrollTo({ left: edge, behavior: isStill ? 'instant' : 'smooth' });
    this.index = index;
    this.announce(this.#position(this.slides.children.length));
  }

  #follow(): void {
    const slides = [...this.slides.children];
    const start = (of: Element): number => {
      const box = of.getBoundingClientRect();
      return getComputedStyle(this).direction === 'rtl' ? -box.right : box.left;
    };
    const edge = start(this.slides);
    const { scrollLeft, scrollWidth, clientWidth } = this.slides;
    const atEnd = Math.abs(scrollLeft) + clientWidth >= scrollWidth - 4;
    const nearest = slides.findIndex((slide) => start(slide) - edge > -24);
    // At the end, several slides may be visible at once; the last one is current then.
    this.index = atEnd ? Math.max(this.index, nearest) : Math.max(nearest, 0);
  }
}

/** Treats an item with the fields of a card as a card, even if its type is missing. */
function asSlide(item: ConversationItem): ConversationItem {
  const isCard = item.type === 'unknown' && (item.source['body'] ?? item.source['footer']) != null;
  return isCard ? { ...item, type: 'card' } : item;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-carousel': CarouselElement;
  }
}
