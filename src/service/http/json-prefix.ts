/** Renames the keys of JSON that carry the prefix of a deployment. */
export interface JsonPrefix {
  readonly toInternal: (json: string) => string;
  readonly toExternal: (json: string) => string;
  /** Renames a single name that is not a JSON key, as in the `loc` of a problem. */
  readonly nameToExternal: (name: string) => string;
}

/**
 * Creates the renaming for a deployment: the code uses the prefix `svc_`, requests and responses use `prefix`. It works
 * on JSON text: a string followed by a colon is a key at any depth, because quotation marks inside strings are escaped.
 */
export function createJsonPrefix(prefix: string): JsonPrefix {
  if (prefix === 'svc_') {
    const same = (text: string): string => text;
    return { toInternal: same, toExternal: same, nameToExternal: same };
  }
  const outside = new RegExp(`"${prefix}(message|connection_status)"(\\s*:)`, 'g');
  const inside = /"svc_(message|connection_status)"(\s*:)/g;
  return {
    toInternal: (json) => json.replace(outside, '"svc_$1"$2'),
    toExternal: (json) => json.replace(inside, `"${prefix}$1"$2`),
    nameToExternal: (name) => name.replace(/^svc_(message|connection_status)$/, `${prefix}$1`),
  };
}
