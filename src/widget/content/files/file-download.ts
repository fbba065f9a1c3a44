import { css, html } from 'lit';
import { isAllowed, safeLinkUrl } from '../../platform/url-policy.ts';
import { downloadIcon } from '../../theme/item-icons.ts';
import { listOf } from '../../../conversation/read-values.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { renderItemHeading, hostnameOf } from '../content-templates.ts';
import { fileIcon, icon } from '../../theme/icons.ts';
import { contentStyles } from '../content.styles.ts';
import { asObject, firstText, number, type Fields } from '../read-item.ts';
import { fileSize, isPicture } from './file-facts.ts';
import { renderFileType, safeFileName } from './file-tile.ts';
import { fileTileStyles } from './file-tile.styles.ts';

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
    fileTileStyles,
    css`
      ul {
        display: grid;
        gap: var(--_space-2);
      }

      a.file:hover {
        background: var(--_hover);
      }

      a.file > svg:last-child {
        color: var(--_accent-text);
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    const entries = listOf(fields['files']);
    const files = entries.length || !fields['url'] ? entries : [fields];
    const { shown, more } = this.someOf(files);
    return html`
      ${renderItemHeading(fields)}
      ${
        files.length
          ? html`<ul>
                ${shown.map((file) => this.renderFile(typeof file === 'string' ? { url: file } : asObject(file)))}
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
    return renderFileType(
      name,
      isShown
        ? html`<img src=${address.href} alt="" loading="lazy" referrerpolicy="no-referrer" />`
        : undefined,
    );
  }

  private renderFile(file: Fields): unknown {
    const address = safeLinkUrl(file['url'], this.context.policy.baseUrl || undefined);
    const label = firstText(file['fileName'], file['file_name'], file['name']) || lastPart(address);
    const name = safeFileName(label);
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
