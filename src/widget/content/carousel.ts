import { css, html, nothing } from 'lit';
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

/**
 * Cards side by side, moved one at a time by swiping, by buttons or by keyboard.
 *
 * @summary A row of cards.
 * @element agent-chat-carousel
 * @csspart carousel - The row.
 * @csspart carousel-slide - One slide.
 */
export class CarouselElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      .slides {
        display: flex;
        gap: var(--_space-2);
        padding: 2px;
        margin: -2px;
        overflow-x: auto;
        overscroll-behavior-inline: contain;
        scroll-padding-inline: 2px;
        scroll-snap-type: inline mandatory;
        scrollbar-width: none;
      }

      /* cards fade at an edge where there are more of them; engines without scroll timelines cut them off */
      @supports (animation-timeline: scroll()) {
        .slides {
          --_to: right;
          --_before: #000;
          --_after: #000;
          mask-image: linear-gradient(
            to var(--_to),
            var(--_before),
            #000 24px calc(100% - 24px),
            var(--_after)
          );
          animation: edges linear both;
          animation-duration: auto !important; /* with reduced motion, too: nothing moves by itself */
          animation-timeline: scroll(self inline);
        }
        .slides:dir(rtl) {
          --_to: left;
        }
      }
      @keyframes edges {
        0% {
          --_before: #000;
          --_after: transparent;
        }
        1%,
        99% {
          --_before: transparent;
          --_after: transparent;
        }
        100% {
          --_before: transparent;
          --_after: #000;
        }
      }

      li {
        flex: 0 0 min(82%, 280px);
        min-inline-size: 0;
        scroll-snap-align: start;
      }

      li:only-child {
        flex-basis: 100%;
      }

      .steps {
        display: flex;
        align-items: center;
        gap: var(--_space-1);
        margin-block-start: var(--_space-1);
        color: var(--_muted);
        font-size: var(--_size-small);
        font-variant-numeric: tabular-nums;
      }

      .steps [aria-disabled] {
        background: none;
        opacity: 0.45;
      }
    `,
  ];

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
