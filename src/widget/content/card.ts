import { css, html, nothing } from 'lit';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderItemHeading } from './content-templates.ts';
import { contentStyles } from './content.styles.ts';
import { innerItems, type Fields } from './read-item.ts';

/**
 * A box around other items, with buttons in its footer.
 *
 * @summary A card.
 * @element agent-chat-card
 * @csspart item-frame - The card.
 * @csspart item-actions - The footer.
 */
export class CardElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      :host {
        block-size: 100%;
      }

      .frame {
        block-size: 100%;
        grid-template-rows: 1fr auto;
        overflow: clip;
        background: var(--_surface);
      }

      @media (hover: hover) {
        .frame {
          transition:
            transform var(--_duration) var(--_ease),
            box-shadow var(--_duration) var(--_ease);
        }

        .frame:hover {
          transform: translateY(-2px);
          box-shadow: var(--_shadow-small);
        }
      }

      /* a picture that comes first reaches the card's edges */
      .cover {
        --_media-radius: var(--_radius) var(--_radius) 0 0;
        --_media-ring: -4px; /* the card clips what is outside of it */
        --_media-ground: 6px;
        --_media-fit: cover;
        --_media-size: 100%;
        --_media-inset: 14px;
        margin: -14px -14px 0;
        border-radius: calc(var(--_radius) + 1px) calc(var(--_radius) + 1px) 0 0;
        overflow: clip;
      }

      .body {
        display: grid;
        gap: var(--_space-2);
        align-content: start;
      }

      .body > * {
        min-inline-size: 0;
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    const [first, ...rest] = innerItems(fields['body'], this.item, 'body');
    const cover = first?.type === 'image' ? first : undefined;
    const body = cover || !first ? rest : [first, ...rest];
    const footer = innerItems(fields['footer'], this.item, 'footer');
    return html`<article class="frame" part="item-frame">
      <div class="body">
        ${cover ? html`<div class="cover">${this.renderInner([cover])}</div>` : nothing}
        ${renderItemHeading(fields)} ${this.renderInner(body)}
      </div>
      ${
        footer.length
          ? html`<div class="actions" part="item-actions">${this.renderInner(footer)}</div>`
          : nothing
      }
    </article>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-card': CardElement;
  }
}
