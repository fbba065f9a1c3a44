// A file of its own: the fast path loads it without the event builder.

/**
 * Splits a line of an event stream into field name and value, without the one space that may follow the colon.
 * @returns undefined for a comment
 */
export function parseSseField(line: string): { readonly name: string; readonly value: string } | undefined {
  const colon = line.indexOf(':');
  if (colon === 0) return undefined;
  if (colon < 0) return { name: line, value: '' };
  const start = line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
  return { name: line.slice(0, colon), value: line.slice(start) };
}
