import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { isAllowed, safeMediaUrl } from '../../platform/url-policy.ts';
import { imageIcon, playIcon } from '../../theme/item-icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { renderItemHeading, hostnameOf, renderExternalLink } from '../content-templates.ts';
import { icon } from '../../theme/icons.ts';
import { contentStyles } from '../content.styles.ts';
import { asObject, firstText, itemFields, text, type Fields } from '../read-item.ts';
import { mediaElementStyles } from './media-element.styles.ts';

/**
 * Base class of images, video and audio. A file from the service or an allowed origin loads; others wait for a
 * click on a button that names their host, if they have one. If a file does not load, its description and a link are
 * shown.
 *
 * @csspart media-load - The button that loads a file from another host.
 */
export abstract class MediaElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles, mediaElementStyles];

  @state() private accepted = false;
  @state() private failed = false;

  /** `image`, `video` or `audio`; selects strings and icon. */
  protected abstract readonly kind: 'image' | 'video' | 'audio';

  /** Renders the element that shows or plays the file. */
  protected abstract renderMedia(source: URL, description: string): unknown;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('item');
    if (before && mediaUrl(itemFields(before)) !== mediaUrl(itemFields(this.item))) {
      this.accepted = false;
      this.failed = false;
    }
  }

  /** What had focus is replaced by the file, or by why it did not load: focus goes there, too. */
  protected override update(changed: PropertyValues<this>): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    if (focused?.isConnected === false)
      this.renderRoot.querySelector<HTMLElement>('button, a, audio, video')?.focus();
  }

  protected override renderContent(fields: Fields): unknown {
    const { baseUrl } = this.context.policy;
    const address = safeMediaUrl(mediaUrl(fields), baseUrl || undefined);
    const description = firstText(fields['alt_text'], fields['title'], fields['description']);
    // the title is shown below; do not repeat it here
    const besides = description === text(fields['title']) ? '' : description;
    return html`<figure part="item-frame">
      ${this.renderSource(address, description, besides)} ${renderItemHeading(fields)}
    </figure>`;
  }

  protected failedToLoad(): void {
    this.failed = true;
    if (this.accepted) this.announce(`${this.t(`media.${this.kind}`)}: ${this.t('media.failed')}`);
  }

  private renderSource(address: URL | undefined, description: string, besides: string): unknown {
    if (!address || this.failed) return this.renderFailure(address, besides);
    const { policy } = this.context;
    const origins = this.kind === 'image' ? policy.images : policy.media;
    const isSound = this.kind === 'audio' && address.protocol === 'data:'; // it plays on a click only
    if (this.accepted || isSound || isAllowed(address, origins, policy.baseUrl))
      return this.renderMedia(address, description);
    return this.renderQuestion(address, besides);
  }

  private renderQuestion(address: URL, description: string): unknown {
    const question =
      address.protocol === 'data:'
        ? this.t('media.show-image') // the message contains it; other kinds have an address
        : this.t(`media.load-${this.kind}`, { host: hostnameOf(address) });
    return html`<button class="load" part="media-load" @click=${this.#accept}>
      ${icon(this.kind === 'image' ? imageIcon : playIcon)}
      <span>
        ${question}
        ${description.trim() ? html`<small class="clamped" dir="auto">${description}</small>` : nothing}
      </span>
    </button>`;
  }

  private renderFailure(address: URL | undefined, description: string): unknown {
    return html`<div class="notice" part="item-notice">
      ${icon(this.kind === 'image' ? imageIcon : playIcon)}
      <div>
        <strong>${this.t(`media.${this.kind}`)}</strong>: ${this.t('media.failed')}
        ${description.trim() ? html`<div dir="auto">${description}</div>` : nothing}
        ${
          address && address.protocol !== 'data:'
            ? html`<div>
                ${renderExternalLink(this.context.words, address.href, this.t('link.open', { host: hostnameOf(address) }))}
              </div>`
            : nothing
        }
      </div>
    </div>`;
  }

  #accept(): void {
    this.accepted = true;
  }
}

/** The URL of the file, wherever the item has it. */
function mediaUrl({ source, url }: Fields): unknown {
  return [source, asObject(source)['url'], url].find((value) => typeof value === 'string' && value.trim());
}
