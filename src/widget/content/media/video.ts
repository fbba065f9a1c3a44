import { html } from 'lit';
import { MediaElement } from './media-element.ts';

/**
 * @summary A video with native controls.
 * @element agent-chat-video
 * @csspart video - The player.
 */
export class VideoElement extends MediaElement {
  protected override readonly kind = 'video';

  protected override renderMedia(source: URL, description: string): unknown {
    return html`<video
      part="video"
      src=${source.href}
      aria-label=${description || this.t('media.video')}
      controls
      playsinline
      preload="metadata"
      @error=${this.failedToLoad}
    ></video>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-video': VideoElement;
  }
}
