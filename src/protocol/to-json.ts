const natives: readonly object[] = [Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/**
 * `JSON.stringify` that ignores the `toJSON` methods which old libraries (Prototype.js 1.6, say) add to arrays, strings
 * and numbers. Those return JSON text, so that a list would go out as a string.
 * @param indent Blanks per level; default: one line.
 */
export function toJson(value: unknown, indent?: number): string {
  if (!natives.some((native) => 'toJSON' in native)) return JSON.stringify(value, undefined, indent);
  return JSON.stringify(value, ownValue, indent);
}

function ownValue(this: Readonly<Record<string, unknown>>, key: string, converted: unknown): unknown {
  const original = this[key];
  return Array.isArray(original) || typeof original !== 'object' ? original : converted;
}
