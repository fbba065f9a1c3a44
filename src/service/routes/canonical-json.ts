import { createHash } from 'node:crypto';

/** Returns the SHA-256 of the content of a message, in base64url. Equal content has the same hash. */
export function hashOfContent(content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalize(content)))
    .digest('base64url');
}

/** Returns the value with sorted keys and without `null` fields, so equal values serialize to equal text. */
export function canonicalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, canonicalize(inner)]),
  );
}
