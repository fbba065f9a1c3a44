import { css, html, nothing } from 'lit';
import { query, state } from 'lit/decorators.js';
import { defineElement } from '../../platform/define-element.ts';
import { LightboxElement } from './lightbox.ts';
import { MediaElement } from './media-element.ts';

/** How long what follows a picture waits for it, in ms. */
const maxWaitMs = 1000;

/**
 * @summary A picture with its title and description; a click shows it over the whole page.
 * @element agent-chat-image
 * @csspart image - The picture.
 */
export class ImageElement extends MediaElement {
  static override styles = [
    ...MediaElement.styles,
    css`
      .enlarge {
        position: relative;
        display: block;
        inline-size: var(--_media-size, fit-content);
        max-inline-size: 100%;
        padding: 0;
        border: 0;
        border-radius: var(--_media-radius, var(--_radius));
        background: none;
        cursor: zoom-in;
      }

      .enlarge:focus-visible {
        outline-offset: var(--_media-ring, 2px);
      }

      /* a ring inside the picture has a ground of its own */
      .enlarge:focus-visible::after {
        content: '';
        position: absolute;
        inset: 0;
        border: var(--_media-ground, 0px) solid var(--_surface);
        border-radius: inherit;
        outline: inherit;
        outline-offset: inherit;
      }
    `,
  ];

  protected override readonly kind = 'image';
  @state() private enlarged = false;
  @query('.enlarge') private button!: HTMLElement | null;

  /** With the picture, or when what follows has waited long enough. */
  override get settled(): Promise<unknown> {
    const picture = this.renderRoot.querySelector('img');
    if (!picture || picture.complete) return Promise.resolve();
    return new Promise((resolve) => {
      picture.addEventListener('load', resolve, { once: true });
      picture.addEventListener('error', resolve, { once: true });
      setTimeout(resolve, maxWaitMs);
    });
  }

  protected override renderMedia(source: URL, description: string): unknown {
    defineElement('agent-chat-lightbox', LightboxElement);
    return html`<button
        class="enlarge"
        type="button"
        aria-haspopup="dialog"
        @click=${() => (this.enlarged = true)}
      >
        <img
          part="image"
          src=${source.href}
          alt=${description || this.t('media.image')}
          title=${this.t('media.enlarge')}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          @error=${this.failedToLoad}
        /></button
      >${
        this.enlarged
          ? html`<agent-chat-lightbox
              .source=${source.href}
              .description=${description}
              .words=${this.context.words}
              @close=${this.#close}
            ></agent-chat-lightbox>`
          : nothing
      }`;
  }

  readonly #close = (): void => {
    this.enlarged = false;
    this.button?.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-image': ImageElement;
  }
}
