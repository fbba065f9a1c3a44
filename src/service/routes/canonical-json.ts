/** The same value with its keys in one order and none that is `null`, so that equal content is equal text. */
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
