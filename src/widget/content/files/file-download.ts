import { css, html } from 'lit';
import { isAllowed, safeLinkUrl } from '../../platform/url-policy.ts';
import { downloadIcon } from '../../theme/item-icons.ts';
import { fileIcon } from '../../theme/late-icons.ts';
import { listOf } from '../../../conversation/read-values.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { renderHeading, hostnameOf } from '../content-templates.ts';
import { icon } from '../../theme/icon.ts';
import { contentStyles } from '../content.styles.ts';
import { firstText, number, record, text, type Fields } from '../read-item.ts';
import { fileSize, fileType, isPicture } from './file-facts.ts';

/** Bidirectional control characters: in a file name they could make a program look like a picture. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Files to download. Each link names its host.
 *
 * @summary Files for the visitor.
 * @element agent-chat-file-download
 * @csspart file - One file.
 */
export class FileDownloadElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      ul {
        display: grid;
        gap: var(--_space-2);
      }

      .file {
        display: flex;
        align-items: center;
        gap: var(--_space-3);
        min-block-size: 44px;
        padding: 7px 12px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_surface);
        color: inherit;
        text-decoration: none;
        line-height: 1.35;
      }

      a.file:hover {
        background: var(--_hover);
      }

      .file > svg {
        color: var(--_muted);
      }

      a.file > svg:last-child {
        color: var(--_accent-text);
      }

      .type {
        display: grid;
        place-items: center;
        flex: none;
        inline-size: 38px;
        block-size: 38px;
        border-radius: calc(var(--_radius) * 0.7);
        background: var(--_accent-soft);
        color: var(--_accent-text);
        font-size: 10.5px;
        font-weight: 700;
        letter-spacing: 0.02em;
        overflow: clip;
      }

      .type img {
        inline-size: 100%;
        block-size: 100%;
        object-fit: cover;
      }

      .name {
        flex: 1;
        min-inline-size: 0;
      }

      small {
        display: block;
        color: var(--_muted);
        font-size: var(--_size-tiny);
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    const given = listOf(fields['files']);
    const files = given.length || !fields['url'] ? given : [fields];
    const { shown, more } = this.someOf(files);
    return html`
      ${renderHeading(text(fields['title']), text(fields['description'], 2000))}
      ${
        files.length
          ? html`<ul>
                ${shown.map((file) => this.renderFile(typeof file === 'string' ? { url: file } : record(file)))}
              </ul>
              ${more}`
          : html`<p class="description">${this.t('file.none')}</p>`
      }
    `;
  }

  /** A picture's own thumbnail from an allowed origin, else the type that the name says. */
  private renderType(name: string, address: URL): unknown {
    const { images, baseUrl } = this.context.policy;
    const isShown = isPicture(name) && isAllowed(address, images, baseUrl);
    return html`<span class="type" aria-hidden="true"
      >${
        isShown
          ? html`<img src=${address.href} alt="" loading="lazy" referrerpolicy="no-referrer" />`
          : fileType(name) || icon(fileIcon)
      }</span
    >`;
  }

  private renderFile(file: Fields): unknown {
    const address = safeLinkUrl(file['url'], this.context.policy.baseUrl || undefined);
    const given = firstText(file['fileName'], file['file_name'], file['name']) || lastPart(address);
    const name = given.replace(bidiControls, '');
    if (!address?.protocol.startsWith('http')) {
      return html`<li>
        <span class="file" part="file"
          >${icon(fileIcon)}<span class="name">${name}<small>${this.t('link.refused')}</small></span></span
        >
      </li>`;
    }
    const bytes = number(file['size']) ?? number(file['file_size']) ?? number(file['fileSize']);
    const facts = [fileSize(bytes, this.context.words.locale), hostnameOf(address)];
    return html`<li>
      <a
        class="file"
        part="file"
        href=${address.href}
        download=${name}
        target="_blank"
        rel="noopener noreferrer"
        title=${this.t('file.open', { name })}
      >
        ${this.renderType(name, address)}<span class="name"
          ><bdi>${name}</bdi><small>${facts.filter(Boolean).join(' · ')}</small></span
        >
        ${icon(downloadIcon)}
      </a>
    </li>`;
  }
}

function lastPart(address: URL | undefined): string {
  return address?.pathname.split('/').findLast(Boolean) ?? '';
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-file-download': FileDownloadElement;
  }
}
