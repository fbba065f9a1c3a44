import { html } from 'lit';
import { MediaElement } from './media-element.ts';

/**
 * @summary Audio with native controls.
 * @element agent-chat-audio
 * @csspart audio - The player.
 */
export class AudioElement extends MediaElement {
  protected override readonly kind = 'audio';

  protected override renderMedia(source: URL, description: string): unknown {
    return html`<audio
      part="audio"
      src=${source.href}
      aria-label=${description || this.t('media.audio')}
      controls
      preload="metadata"
      @error=${this.failedToLoad}
    ></audio>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-audio': AudioElement;
  }
}
