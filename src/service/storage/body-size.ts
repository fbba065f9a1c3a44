import { sql } from 'kysely';

/** Bytes of records that are read at once for a caller, who writes them: a hundred such requests must fit in memory. */
export const largestList = 16 * 1024 * 1024;

/** How large the bodies are, in bytes, without reading them. Both engines have the function. */
export const sizeOfBody = sql<number>`octet_length(body)`.as('size');

/** Told how many bytes are about to be read; throws to refuse. */
export type AdmitBytes = (bytes: number) => void;

/** How many records from the first on take at most so many bytes together; one at least. */
export function countWithin(records: readonly { readonly size: number }[], bytes: number): number {
  let left = bytes;
  const over = records.findIndex(({ size }) => (left -= size) < 0);
  return over < 0 ? records.length : Math.max(1, over);
}

/**
 * How many of them may be read: as many as fit, once their bytes are admitted.
 * @throws what `admit` throws
 */
export function countAdmitted(
  records: readonly { readonly size: number }[],
  bytes: number,
  admit: AdmitBytes = () => undefined,
): number {
  const count = countWithin(records, bytes);
  admit(records.slice(0, count).reduce((sum, { size }) => sum + size, 0));
  return count;
}
