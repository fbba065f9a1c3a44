const byteOrderMark = '\uFEFF';

/**
 * Decodes the bytes of one stream as UTF-8. Characters may be split over reads, invalid bytes become U+FFFD, one byte
 * order mark at the start is removed, and CRLF and CR become LF, as the event-stream standard says.
 */
export class Utf8Decoder {
  // `TextDecoder` would also remove a mark that follows an empty first read
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** What the next text must not begin with: the mark, or the LF of a CRLF that two reads share. */
  #ignored = byteOrderMark;

  decode(bytes: Uint8Array): string {
    return this.#normalize(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Ends the stream. An incomplete character becomes U+FFFD. */
  end(): string {
    return this.#normalize(this.#decoder.decode());
  }

  #normalize(text: string): string {
    if (text === '') return text;
    const rest = this.#ignored && text.startsWith(this.#ignored) ? text.slice(1) : text;
    this.#ignored = text.endsWith('\r') ? '\n' : '';
    return rest.replace(/\r\n?/g, '\n');
  }
}

/**
 * Whether `text` is longer than `limit` bytes in UTF-8. Counts bytes only if the number of characters is not decisive.
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
