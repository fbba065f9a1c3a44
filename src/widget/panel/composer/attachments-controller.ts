import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PanelConfig } from '../../contexts.ts';
import type { UploadDocument } from '../../config/host-options.ts';
import { AnnounceEvent } from '../../events/announce-event.ts';
import { parseDocumentId, clampProgress } from '../../content/files/upload-result.ts';

/** A document on its way to the host. */
export interface Attachment {
  readonly file: File;
  readonly state: 'uploading' | 'done' | 'failed';
  /** Share done, 0 to 1; undefined until the host reports progress. */
  readonly progress: number | undefined;
  /** What the host calls it, once it is there. */
  readonly id: string | undefined;
}

interface AttachmentsHost extends ReactiveControllerHost, EventTarget {
  readonly panel: PanelConfig | undefined;
}

/** Takes files to the host one by one and keeps where each stands. Uploads go on while the element is moved elsewhere. */
export class AttachmentsController implements ReactiveController {
  attachments: readonly Attachment[] = [];
  readonly #host: AttachmentsHost;
  /** Of what is on its way. */
  readonly #aborts = new Map<File, AbortController>();

  constructor(host: AttachmentsHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    // the element may be on its way to another place: uploads go on
  }

  /** Some file is not there yet, so that a message would go without it. */
  get pending(): boolean {
    return this.attachments.some(({ state }) => state === 'uploading');
  }

  /** Some file could not be uploaded, and was neither tried again nor removed. */
  get failed(): boolean {
    return this.attachments.some(({ state }) => state === 'failed');
  }

  /** Ids of the documents that are there. */
  get ids(): readonly string[] {
    return this.attachments.flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  add(files: Iterable<File>, upload: UploadDocument): void {
    for (const file of files) void this.#upload(file, upload);
  }

  retry(file: File, upload: UploadDocument): void {
    void this.#upload(file, upload);
  }

  remove(file: File): void {
    this.#aborts.get(file)?.abort();
    this.#aborts.delete(file);
    this.#set(this.attachments.filter((attachment) => attachment.file !== file));
    const { words } = this.#host.panel ?? {};
    if (words) this.#host.dispatchEvent(new AnnounceEvent(words.t('attach.removed', { name: file.name })));
  }

  /** All there is, which goes out with a message. */
  take(): readonly Attachment[] {
    const { attachments } = this;
    this.#set([]);
    return attachments;
  }

  /** The message did not go out. */
  giveBack(attachments: readonly Attachment[]): void {
    this.#set([...attachments, ...this.attachments]);
  }

  async #upload(file: File, upload: UploadDocument): Promise<void> {
    const abort = new AbortController();
    this.#aborts.set(file, abort);
    this.#put({ file, state: 'uploading', progress: undefined, id: undefined });
    try {
      const given = await upload(file, {
        signal: abort.signal,
        onProgress: (share) => {
          if (this.#aborts.get(file) !== abort) return; // removed, there already, or tried again
          this.#put({ file, state: 'uploading', progress: clampProgress(share), id: undefined });
        },
      });
      const id = parseDocumentId(given, this.#host);
      this.#end({ file, state: 'done', progress: 1, id }, abort.signal);
    } catch {
      this.#end({ file, state: 'failed', progress: 0, id: undefined }, abort.signal);
    }
  }

  #end(attachment: Attachment, { aborted }: AbortSignal): void {
    if (aborted) return;
    this.#aborts.delete(attachment.file);
    this.#put(attachment);
    this.#tellOf(attachment);
  }

  /** Says that a document is there, or could not be brought. */
  #tellOf({ file: { name }, state }: Attachment): void {
    const { words } = this.#host.panel ?? {};
    if (!words) return;
    const text = state === 'done' ? `${name}, ${words.t('file.done')}` : words.t('file.failed', { name });
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
