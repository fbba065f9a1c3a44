import { sql } from 'kysely';

/** Size limit of a list. */
export const maxListBytes = 16 * 1024 * 1024;

/** The size of a body in bytes, without reading it. Both engines have the function. */
export const sizeOfBody = sql<number>`octet_length(body)`.as('size');

/** Called with the number of bytes to be read; throws to refuse. */
export type AdmitBytes = (bytes: number) => Promise<void>;

/** Returns how many of the first records fit into a size, at least one. */
export function countWithin(records: readonly { readonly size: number }[], bytes: number): number {
  let left = bytes;
  const over = records.findIndex(({ size }) => (left -= size) < 0);
  return over < 0 ? records.length : Math.max(1, over);
}

/** Returns how many records fit, once `admit` accepts their size. @throws the error of `admit` */
export async function countAdmitted(
  records: readonly { readonly size: number }[],
  bytes: number,
  admit: AdmitBytes = () => Promise.resolve(),
): Promise<number> {
  const count = countWithin(records, bytes);
  await admit(records.slice(0, count).reduce((sum, { size }) => sum + size, 0));
  return count;
}
