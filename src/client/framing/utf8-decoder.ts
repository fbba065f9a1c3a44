const byteOrderMark = '\uFEFF';

/**
 * Bytes of one stream as text: characters split over reads are put together, invalid bytes become U+FFFD, and one
 * byte order mark at the very beginning is dropped (a second one is text, as the event-stream standard wants).
 */
export class Utf8Decoder {
  // The decoder's own handling of the mark would also drop one that follows an empty first read.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #atStart = true;

  decode(bytes: Uint8Array): string {
    return this.#withoutMark(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What a character cut off by the end of the stream leaves behind. */
  end(): string {
    return this.#withoutMark(this.#decoder.decode());
  }

  #withoutMark(text: string): string {
    if (!this.#atStart || text === '') return text;
    this.#atStart = false;
    return text.startsWith(byteOrderMark) ? text.slice(1) : text;
  }
}

/**
 * Whether `text` takes more than `limit` bytes as UTF-8. Counts only when the number of characters leaves it open.
 */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // Each half of a surrogate pair counts two bytes, the pair four.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
    if (bytes > limit) return true;
  }
  return false;
}
