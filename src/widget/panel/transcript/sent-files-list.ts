import { css, html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { fileSize, fileType, isPicture } from '../../content/files/file-facts.ts';
import { renderFileType, safeFileName } from '../../content/files/file-tile.ts';
import { fileTileStyles } from '../../content/files/file-tile.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';

/** Side of a thumbnail in device pixels: 38 px, sharp on dense screens. */
const thumbnailSide = 114;

/**
 * The files of a message that was sent from this page: type or thumbnail, name and size.
 *
 * @element agent-chat-sent-files-list
 */
export class SentFilesListElement extends LitElement {
  static override styles = [
    sharedStyles,
    fileTileStyles,
    css`
      ul {
        display: grid;
        gap: var(--_space-2);
        margin: 4px 0;
        padding: 0;
        list-style: none;
      }

      .file {
        color: var(--_text);
        font-size: var(--_size-small);
      }
    `,
  ];

  @property({ attribute: false }) files: readonly File[] = [];
  /** Names the list for assistive technology. */
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) locale = 'en';
  /** Thumbnails by the place of their picture in `files`; none before one is drawn, and for a damaged picture. */
  readonly #thumbnails = new Map<number, { readonly file: File; readonly canvas?: HTMLCanvasElement }>();

  protected override willUpdate(): void {
    for (const [place, file] of this.files.entries())
      if (isPicture(file.name) && this.#thumbnails.get(place)?.file !== file) void this.#draw(place, file);
  }

  override render(): unknown {
    return html`<ul aria-label=${this.label}>
      ${this.files.map((file, place) => this.renderFile(file, this.#thumbnails.get(place)?.canvas))}
    </ul>`;
  }

  private renderFile(file: File, thumbnail: HTMLCanvasElement | undefined): unknown {
    const name = safeFileName(file.name);
    const facts = [thumbnail ? fileType(name) : '', fileSize(file.size, this.locale)];
    return html`<li class="file">
      ${renderFileType(name, thumbnail)}<span class="name"
        ><bdi>${name}</bdi><small>${facts.filter(Boolean).join(' · ')}</small></span
      >
    </li>`;
  }

  /** Draws the file itself: an address of it would need the page's content security policy. */
  async #draw(place: number, file: File): Promise<void> {
    this.#thumbnails.set(place, { file });
    const canvas = await drawThumbnail(file).catch(() => undefined);
    if (canvas) this.#thumbnails.set(place, { file, canvas });
    this.requestUpdate();
  }
}

/** The middle square of a picture. */
async function drawThumbnail(file: File): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file);
  const { width, height } = picture;
  const side = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = thumbnailSide;
  const context = canvas.getContext('2d');
  context?.drawImage(
    picture,
    (width - side) / 2,
    (height - side) / 2,
    side,
    side,
    0,
    0,
    thumbnailSide,
    thumbnailSide,
  );
  picture.close();
  return canvas;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-sent-files-list': SentFilesListElement;
  }
}
