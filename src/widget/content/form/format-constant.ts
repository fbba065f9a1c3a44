/** Formats a constant as text. */
export function formatConstant(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 400);
  if (value === null || value === undefined) return '–';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 400);
}
