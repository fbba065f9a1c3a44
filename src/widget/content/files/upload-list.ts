import type { LitElement } from 'lit';
import type { UploadDocument } from '../../config/host-options.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import type { Strings } from '../../i18n/strings.ts';
import { clampProgress, failedText, parseDocumentId, refusalOf } from './upload-result.ts';

/** A file that is being uploaded, or has been. */
export interface Upload {
  readonly file: File;
  readonly state: 'uploading' | 'done' | 'failed';
  /** Share uploaded, 0 to 1; undefined until the page reports progress. */
  readonly progress: number | undefined;
  /** The page's document id, once uploaded. */
  readonly id: string | undefined;
  /** Why the page refuses the file, in words for the visitor; `''` if the visitor may try again. */
  readonly refusal: string;
  /** Whether the file cannot be read, so that trying again is of no use: a dropped folder, or a file that has gone. */
  readonly isUnreadable?: boolean;
}

/** Uploads files, keeps the state of each, and announces how each ends. */
export class UploadList {
  readonly #host: LitElement;
  readonly #words: () => Strings | undefined;
  #uploads: readonly Upload[] = [];
  /** Abort controllers of the uploads in progress. */
  readonly #aborts = new Map<File, AbortController>();

  /**
   * @param host renders the uploads, and dispatches what is announced
   * @param words strings of the announcements; nothing is announced without them
   */
  constructor(host: LitElement, words: () => Strings | undefined) {
    this.#host = host;
    this.#words = words;
  }

  get uploads(): readonly Upload[] {
    return this.#uploads;
  }

  /** Replaces the list. Uploads in progress continue. */
  set uploads(uploads: readonly Upload[]) {
    this.#uploads = uploads;
    this.#host.requestUpdate();
  }

  /** Uploads a file, also again after a failure. Never rejects. */
  async start(file: File, upload: UploadDocument): Promise<void> {
    const abort = new AbortController();
    const uploading = { file, state: 'uploading', progress: undefined, id: undefined, refusal: '' } as const;
    this.#aborts.set(file, abort);
    this.#put(uploading);
    try {
      const result = await upload(file, {
        signal: abort.signal,
        onProgress: (share) => {
          if (this.#aborts.get(file) !== abort) return; // removed, finished or retried meanwhile
          this.#put({ ...uploading, progress: clampProgress(share) });
        },
      });
      if (abort.signal.aborted) return;
      const id = parseDocumentId(result, this.#host);
      this.#end({ ...uploading, state: 'done', progress: 1, id });
    } catch (error) {
      const refusal = refusalOf(error);
      const isUnreadable = refusal === '' && !(await canBeRead(file));
      if (!abort.signal.aborted) this.#end({ ...uploading, state: 'failed', refusal, isUnreadable });
    }
  }

  /** Removes a file, and aborts its upload. */
  remove(file: File): void {
    this.#aborts.get(file)?.abort();
    this.#aborts.delete(file);
    this.uploads = this.#uploads.filter((upload) => upload.file !== file);
  }

  /** Aborts the uploads in progress; they can be tried again. */
  abort(): void {
    for (const abort of this.#aborts.values()) abort.abort();
    this.#aborts.clear();
    this.uploads = this.#uploads.map((upload) =>
      upload.state === 'uploading' ? { ...upload, state: 'failed' } : upload,
    );
  }

  #end(upload: Upload): void {
    const { file, state, refusal } = upload;
    this.#aborts.delete(file);
    this.#put(upload);
    const words = this.#words();
    if (!words) return;
    const text =
      state === 'done' ? `${file.name}, ${words.t('file.done')}` : failedText(words, file, refusal);
    this.#host.dispatchEvent(new AnnounceEvent(text));
  }

  #put(upload: Upload): void {
    const index = this.#uploads.findIndex(({ file }) => file === upload.file);
    this.uploads = index < 0 ? [...this.#uploads, upload] : this.#uploads.with(index, upload);
  }
}

/** Whether the browser can read the file: not a folder that was dropped, nor a file that has gone. */
async function canBeRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
