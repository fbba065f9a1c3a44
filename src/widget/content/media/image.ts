import { html } from 'lit';
import { MediaElement } from './media-element.ts';

/**
 * @summary A picture with its title and description.
 * @element agent-chat-image
 * @csspart image - The picture.
 */
export class ImageElement extends MediaElement {
  protected override readonly kind = 'image';

  protected override renderMedia(source: URL, description: string): unknown {
    return html`<img
      part="image"
      src=${source.href}
      alt=${description}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      @error=${this.failedToLoad}
    />`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-image': ImageElement;
  }
}
