import { html, nothing, type LitElement, type ReactiveController } from 'lit';
import type { ConversationMessage } from '../../../conversation/conversation.ts';
import type { PanelConfig } from '../../contexts.ts';
import type { UploadDocument } from '../../config/host-options.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { UploadList, type Upload } from '../../content/files/upload-list.ts';
import { addContentStrings } from '../../i18n/content-strings.ts';
import type { Strings } from '../../i18n/strings.ts';
import { defineElement } from '../../platform/define-element.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { sentFiles } from '../sent-files.ts';
import { SentFilesListElement } from '../transcript/sent-files-list.ts';
import type { AttachmentEvent } from './attachments.ts';

const attachmentsElement = new LazyElement('agent-chat-attachments', () =>
  import('./attachments.ts').then((module) => module.AttachmentsElement),
);

interface AttachmentsHost extends LitElement {
  readonly panel: PanelConfig;
}

/** The files attached to the next message. Uploads continue while the element moves. */
export class AttachmentsController implements ReactiveController {
  readonly #host: AttachmentsHost;
  readonly #list: UploadList;
  /** Files of other conversations' drafts. Their uploads continue. */
  readonly #kept = new Set<File>();

  constructor(host: AttachmentsHost) {
    this.#host = host;
    this.#list = new UploadList(host, () => host.panel.words);
    host.addController(this);
    defineElement('agent-chat-sent-files-list', SentFilesListElement); // what is attached may be sent
  }

  hostDisconnected(): void {
    // uploads continue: the element may only be moving
  }

  get attachments(): readonly Upload[] {
    return this.#list.uploads.filter(({ file }) => !this.#kept.has(file));
  }

  /** True while a file is being uploaded. */
  get pending(): boolean {
    return this.attachments.some(({ state }) => state === 'uploading');
  }

  /** True while a failed file has been neither retried nor removed. */
  get failed(): boolean {
    return this.attachments.some(({ state }) => state === 'failed');
  }

  /** Ids of the uploaded documents. */
  get ids(): readonly string[] {
    return this.attachments.flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  add(files: Iterable<File>, upload: UploadDocument): void {
    for (const file of files) void this.#list.start(file, upload);
  }

  /** What the visitor reads when the page takes no files. */
  async refusal(words: Strings): Promise<string> {
    await addContentStrings(words);
    return words.t('file.unavailable');
  }

  /** Renders the list, or nothing. */
  render({ words }: PanelConfig): unknown {
    if (this.attachments.length === 0) return nothing;
    attachmentsElement.request(this.#host);
    return html`<agent-chat-attachments
      exportparts="attachment"
      .attachments=${this.attachments}
      .words=${words}
      @agent-chat-attachment=${this.#onAttachment}
    ></agent-chat-attachments>`;
  }

  /** Returns all attachments and clears the list; they go out with a message. */
  takeAll(): readonly Upload[] {
    const { attachments } = this;
    this.#list.uploads = this.#list.uploads.filter(({ file }) => this.#kept.has(file));
    return attachments;
  }

  /** Removes all attachments, and aborts their uploads. */
  discard(): void {
    this.#list.abort();
    this.#list.uploads = [];
    this.#kept.clear();
  }

  /** Takes all attachments away, with the draft of a conversation that is left. Returns their files. */
  keep(): readonly File[] {
    const files = this.attachments.map(({ file }) => file);
    for (const file of files) this.#kept.add(file);
    this.#host.requestUpdate();
    return files;
  }

  /** Brings the files of a draft back. */
  bringBack(files: readonly File[]): void {
    for (const file of files) this.#kept.delete(file);
    this.#host.requestUpdate();
  }

  /** Removes the files of a draft that is deleted, and aborts their uploads. */
  forget(files: readonly File[]): void {
    for (const file of files) this.#list.remove(file);
  }

  /** Puts back the files of messages that left this composer and were not sent. */
  restore(messages: readonly Pick<ConversationMessage, 'documentIds'>[]): void {
    const restored = messages
      .flatMap(({ documentIds }) => documentIds)
      .flatMap((id): readonly Upload[] => {
        const file = sentFiles.get(id);
        return file ? [{ file, state: 'done', progress: 1, id, refusal: '' }] : [];
      });
    this.#list.uploads = [...restored, ...this.#list.uploads];
  }

  readonly #onAttachment = ({ action, file, target }: AttachmentEvent): void => {
    const { uploadDocument } = this.#host.panel;
    if (action === 'remove') this.#remove(file, target);
    else if (uploadDocument) void this.#list.start(file, uploadDocument);
  };

  /** Moves focus from the Remove button to the text field. Not after touch: that would open the on-screen keyboard. */
  #remove(file: File, list: EventTarget | null): void {
    const root = list instanceof Element ? list.shadowRoot : null;
    const isByKey = root?.querySelector('button:focus-visible');
    this.#list.remove(file);
    const { words } = this.#host.panel;
    this.#host.dispatchEvent(new AnnounceEvent(words.t('attach.removed', { name: file.name })));
    if (isByKey) this.#host.focus();
  }
}
