import { css, html } from 'lit';
import { safeMediaUrl, isAllowed } from '../../platform/url-policy.ts';
import { externalIcon } from '../../theme/item-icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { renderItemHeading, hostnameOf, renderExternalLink } from '../content-templates.ts';
import { icon } from '../../theme/icons.ts';
import { contentStyles } from '../content.styles.ts';
import { firstText, type Fields } from '../read-item.ts';

/**
 * An embedded page: only from allowed origins, and sandboxed. Other URLs are shown with their host and can be
 * opened in a new tab.
 *
 * @summary A framed page.
 * @element agent-chat-iframe
 * @csspart item-frame - The box.
 * @csspart frame - The iframe.
 */
export class IframeElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      iframe {
        display: block;
        inline-size: 100%;
        block-size: 280px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_surface);
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    const address = safeMediaUrl(firstText(fields['source'], fields['url']));
    return html`<figure part="item-frame">
      ${renderItemHeading(fields)} ${this.renderFrame(address, fields)}
    </figure>`;
  }

  private renderFrame(address: URL | undefined, fields: Fields): unknown {
    if (!address || address.protocol === 'data:') return this.renderNotice(this.t('link.refused'));
    const host = hostnameOf(address);
    if (!isAllowed(address, this.context.policy.frames, '')) {
      return this.renderNotice(
        this.t('frame.refused', { host }),
        renderExternalLink(this.context.words, address.href, this.t('link.open', { host })),
      );
    }
    return html`<iframe
      part="frame"
      title=${firstText(fields['title'], fields['alt_text']) || this.t('frame.label', { host })}
      src=${address.href}
      sandbox=${sandbox(address)}
      referrerpolicy="strict-origin-when-cross-origin"
      loading="lazy"
      allow="fullscreen"
    ></iframe>`;
  }

  private renderNotice(words: string, way?: unknown): unknown {
    return html`<div class="notice" part="item-notice">
      ${icon(externalIcon)}
      <div>${words} ${way}</div>
    </div>`;
  }
}

/**
 * A frame from the page's own origin must not get `allow-same-origin` together with scripts: it could remove its
 * sandbox.
 */
function sandbox(address: URL): string {
  const rights = ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox'];
  return [...rights, ...(address.origin === location.origin ? [] : ['allow-same-origin'])].join(' ');
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-iframe': IframeElement;
  }
}
