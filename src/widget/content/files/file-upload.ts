import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { attachIcon, doneIcon, fileIcon, icon, retryIcon } from '../../theme/icons.ts';
import { removeIcon } from '../../theme/item-icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { renderHeading, renderIconButton } from '../content-templates.ts';
import { contentStyles } from '../content.styles.ts';
import { describeTypes, fileError, readUploadLimits, type UploadLimits } from './file-limits.ts';
import { ItemUploadEvent } from '../item-events.ts';
import { asObject, list, text, type Fields } from '../read-item.ts';
import { UploadList, type Upload } from './upload-list.ts';
import { failedText } from './upload-result.ts';
import { fileUploadStyles } from './file-upload.styles.ts';

/**
 * Asks for files. They are chosen or dropped, checked against the agent's limits, uploaded by the page with
 * progress, and sent as one answer with their document ids.
 *
 * @summary A request for files.
 * @element agent-chat-file-upload
 * @fires {ItemUploadEvent} agent-chat-item-upload - A file for the page's `uploadDocument`.
 * @fires {ItemAnswerEvent} agent-chat-item-answer - The visitor sent the uploaded files.
 * @csspart file - One file.
 * @csspart answer - The files, once sent.
 */
export class FileUploadElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles, fileUploadStyles];

  @state() private error = '';
  @state() private over = false;
  readonly #list = new UploadList(this, () => this.context.words);
  /** Whether the item had the focus before it was rendered again. */
  #hadFocus = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (!this.isConnected) this.#list.abort();
    });
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.shadowRoot?.activeElement != null;
  }

  protected override updated(): void {
    if (this.#hadFocus && !this.shadowRoot?.activeElement)
      this.renderRoot.querySelector('section')?.focus({ preventScroll: true }); // the pressed button has gone
  }

  protected override renderContent(fields: Fields): unknown {
    const limits = readUploadLimits(fields['uploadSettings'] ?? fields['upload_settings']);
    const answered = this.context.answer;
    return html`<section class="frame" part="item-frame" tabindex="-1">
      ${renderHeading(text(fields['title']) || text(fields['text']), text(fields['description'], 2000))}
      ${answered ? this.renderSent(answered.data) : this.renderOpen(limits)}
    </section>`;
  }

  private renderSent(data: unknown): unknown {
    return html`<ul part="answer">
      ${list(data).map(
        (file) =>
          html`<li class="file done" part="file">
            ${icon(doneIcon)}<span>${text(asObject(file)['name'])}</span>
          </li>`,
      )}
    </ul>`;
  }

  /** Renders the chosen files, with a note that they were not sent. */
  private renderKept(): unknown {
    return html`<ul>
        ${this.#list.uploads.map(
          ({ file }) => html`<li class="file" part="file">${icon(fileIcon)}<span>${file.name}</span></li>`,
        )}
      </ul>
      ${this.renderClosedNote()}`;
  }

  private renderOpen(limits: UploadLimits): unknown {
    if (this.closed) return this.renderKept();
    if (!this.context.uploads) return html`<p class="description">${this.t('file.unavailable')}</p>`;
    return html`
      ${this.context.active ? this.renderDrop(limits) : nothing}
      ${this.error ? html`<p class="fault">${this.error}</p>` : nothing}
      ${
        this.#list.uploads.length
          ? html`<ul>
              ${this.#list.uploads.map((upload) => this.renderUpload(upload))}
            </ul>`
          : nothing
      }
      ${this.renderSend()}
    `;
  }

  private renderDrop(limits: UploadLimits): unknown {
    const hints = [
      limits.megabytes === undefined ? '' : this.t('file.limits', { count: limits.megabytes }),
      limits.types.length
        ? this.t('file.types', { types: describeTypes(limits.types, this.context.words) })
        : '',
    ].filter(Boolean);
    return html`<div
      class=${this.over ? 'drop over' : 'drop'}
      @dragover=${this.#dragOver}
      @dragleave=${() => (this.over = false)}
      @drop=${(event: DragEvent) => this.#drop(event, limits)}
    >
      <button class="button" part="item-button" @click=${this.#browse}>
        ${icon(attachIcon)}${this.t('file.choose', { count: limits.files ?? 2 })}
      </button>
      <span>${this.t('file.drop')}</span>
      ${hints.length ? html`<p>${hints.join(' · ')}</p>` : nothing}
      <input
        hidden
        type="file"
        accept=${limits.types.join(',') || nothing}
        ?multiple=${limits.files !== 1}
        @change=${(event: Event) => this.#picked(event, limits)}
      />
    </div>`;
  }

  private renderUpload(upload: Upload): unknown {
    const { name } = upload.file;
    return html`<li class="file ${upload.state}" part="file">
      ${icon(upload.state === 'done' ? doneIcon : fileIcon)}
      <span class="name" title=${name}
        >${upload.state === 'failed' ? failedText(this.context.words, upload.file, upload.refusal) : name}${
          upload.state === 'done'
            ? html`<span class="visually-hidden">, ${this.t('file.done')}</span>`
            : nothing
        }</span
      >
      ${
        upload.state === 'failed' && !upload.refusal && !upload.isUnreadable
          ? renderIconButton(retryIcon, {
              label: this.t('file.retry', { name }),
              onClick: () => this.#start(upload.file),
            })
          : nothing
      }
      ${renderIconButton(removeIcon, {
        label: this.t('file.remove', { name }),
        onClick: () => this.#remove(upload.file),
      })}
      ${
        upload.state === 'uploading'
          ? html`<progress
              max="1"
              value=${upload.progress ?? nothing}
              aria-label=${this.t('file.uploading', { name })}
            ></progress>`
          : nothing
      }
    </li>`;
  }

  private renderSend(): unknown {
    const ready = this.#ready;
    if (!this.#list.uploads.length) return nothing;
    return html`<div class="actions end" part="item-actions">
      <button
        class="button main"
        part="item-button"
        aria-disabled=${ready.length && this.answerable ? nothing : 'true'}
        @click=${this.#send}
      >
        ${this.t('file.send', { count: this.#list.uploads.length })}
      </button>
    </div>`;
  }

  /** The files to send: all of them, once each is uploaded; empty before. */
  get #ready(): readonly Upload[] {
    return this.#list.uploads.every(({ state }) => state === 'done') ? this.#list.uploads : [];
  }

  #browse(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  }

  #picked(event: Event, limits: UploadLimits): void {
    // the listener is on a file input
    const input = event.target as HTMLInputElement;
    this.#add([...(input.files ?? [])], limits);
    input.value = '';
  }

  #dragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.stopPropagation();
    this.over = true;
  }

  #drop(event: DragEvent, limits: UploadLimits): void {
    event.preventDefault();
    event.stopPropagation();
    this.over = false;
    this.#add([...(event.dataTransfer?.files ?? [])], limits);
  }

  #add(files: readonly File[], limits: UploadLimits): void {
    this.error = '';
    for (const file of files) {
      if (limits.files !== undefined && this.#list.uploads.length >= limits.files) {
        this.#refuse(this.t('file.too-many', { count: limits.files }));
        return;
      }
      const error = fileError(file, limits);
      if (error) this.#refuse(this.t(error.key, error.values));
      else this.#start(file);
    }
  }

  #start(file: File): void {
    void this.#list.start(file, (_file, options) => {
      const event = new ItemUploadEvent({
        messageId: this.context.message.id,
        itemId: this.item.id,
        file,
        ...options,
      });
      this.dispatchEvent(event);
      return event.result ?? Promise.reject(new TypeError('the page uploads no files'));
    });
  }

  #refuse(error: string): void {
    this.error = error;
    this.announce(error);
  }

  #remove(file: File): void {
    this.#list.remove(file);
    this.error = '';
  }

  #send(): void {
    const ready = this.#ready;
    if (!this.answerable || !ready.length) return;
    const names = ready.map(({ file }) => file.name).join(', ');
    this.sendAnswer(
      { action: 'submit', data: ready.map(({ file, id }) => ({ name: file.name, id })) },
      {
        content: [{ response_type: 'text', text: names }],
        document_ids: ready.flatMap(({ id }) => id ?? []),
      },
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-file-upload': FileUploadElement;
  }
}
