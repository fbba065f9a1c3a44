import { sql } from 'kysely';

/** Bytes of records that one list holds at most, for callers write them. */
export const maxListBytes = 16 * 1024 * 1024;

/** How large the bodies are, in bytes, without reading them. Both engines have the function. */
export const sizeOfBody = sql<number>`octet_length(body)`.as('size');

/** Told how many bytes are about to be read, which waits for it; throws to refuse. */
export type AdmitBytes = (bytes: number) => Promise<void>;

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
export async function countAdmitted(
  records: readonly { readonly size: number }[],
  bytes: number,
  admit: AdmitBytes = () => Promise.resolve(),
): Promise<number> {
  const count = countWithin(records, bytes);
  await admit(records.slice(0, count).reduce((sum, { size }) => sum + size, 0));
  return count;
}
