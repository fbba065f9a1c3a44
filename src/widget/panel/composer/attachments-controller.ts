import { html, nothing, type LitElement, type ReactiveController } from 'lit';
import type { PanelConfig } from '../../contexts.ts';
import type { UploadDocument } from '../../config/host-options.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { clampProgress, failedText, parseDocumentId, refusalOf } from '../../content/files/upload-result.ts';
import { defineElement } from '../../platform/define-element.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { SentFilesElement } from '../transcript/sent-files-list.ts';
import type { Attachment, AttachmentEvent } from './attachments.ts';

const attachmentsElement = new LazyElement('agent-chat-attachments', () =>
  import('./attachments.ts').then((module) => module.AttachmentsElement),
);

interface AttachmentsHost extends LitElement {
  readonly panel: PanelConfig | undefined;
}

/**
 * Uploads files through the page's `uploadDocument` and keeps the state of each. Uploads continue while the element
 * moves.
 */
export class AttachmentsController implements ReactiveController {
  attachments: readonly Attachment[] = [];
  readonly #host: AttachmentsHost;
  /** Abort controllers of the uploads in progress. */
  readonly #aborts = new Map<File, AbortController>();

  constructor(host: AttachmentsHost) {
    this.#host = host;
    host.addController(this);
    defineElement('agent-chat-sent-files', SentFilesElement); // what is attached may be sent
  }

  hostDisconnected(): void {
    // uploads continue: the element may only be moving
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
    for (const file of files) void this.#upload(file, upload);
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
  takeAll(): readonly Attachment[] {
    const { attachments } = this;
    this.#set([]);
    return attachments;
  }

  /** Puts attachments back because their message was not sent. */
  restore(attachments: readonly Attachment[]): void {
    this.#set([...attachments, ...this.attachments]);
  }

  readonly #onAttachment = ({ action, file, target }: AttachmentEvent): void => {
    const { uploadDocument } = this.#host.panel ?? {};
    if (action === 'remove') this.#remove(file, target);
    else if (uploadDocument) void this.#upload(file, uploadDocument);
  };

  /** Moves focus from the Remove button to the text field. Not after touch: that would open the on-screen keyboard. */
  #remove(file: File, list: EventTarget | null): void {
    const root = list instanceof Element ? list.shadowRoot : null;
    const isByKey = root?.querySelector('button:focus-visible');
    this.#aborts.get(file)?.abort();
    this.#aborts.delete(file);
    this.#set(this.attachments.filter((attachment) => attachment.file !== file));
    const { words } = this.#host.panel ?? {};
    if (words) this.#host.dispatchEvent(new AnnounceEvent(words.t('attach.removed', { name: file.name })));
    if (isByKey) this.#host.focus();
  }

  async #upload(file: File, upload: UploadDocument): Promise<void> {
    const abort = new AbortController();
    this.#aborts.set(file, abort);
    this.#put({ file, state: 'uploading', progress: undefined, id: undefined });
    try {
      const result = await upload(file, {
        signal: abort.signal,
        onProgress: (share) => {
          if (this.#aborts.get(file) !== abort) return; // removed, finished or retried meanwhile
          this.#put({ file, state: 'uploading', progress: clampProgress(share), id: undefined });
        },
      });
      const id = parseDocumentId(result, this.#host);
      this.#end({ file, state: 'done', progress: 1, id }, abort.signal);
    } catch (error) {
      const failed = { file, state: 'failed', progress: 0, id: undefined } as const;
      this.#end({ ...failed, refusal: refusalOf(error) }, abort.signal);
    }
  }

  #end(attachment: Attachment, { aborted }: AbortSignal): void {
    if (aborted) return;
    this.#aborts.delete(attachment.file);
    this.#put(attachment);
    this.#announce(attachment);
  }

  /** Announces that a document was uploaded or failed. */
  #announce({ file, state, refusal }: Attachment): void {
    const { words } = this.#host.panel ?? {};
    if (!words) return;
    const text =
      state === 'done' ? `${file.name}, ${words.t('file.done')}` : failedText(words, file, refusal);
    this.#host.dispatchEvent(new AnnounceEvent(text));
  }

  #put(next: Attachment): void {
    const at = this.attachments.findIndex(({ file }) => file === next.file);
    this.#set(at < 0 ? [...this.attachments, next] : this.attachments.with(at, next));
  }

  #set(attachments: readonly Attachment[]): void {
    this.attachments = attachments;
    this.#host.requestUpdate();
  }
}
