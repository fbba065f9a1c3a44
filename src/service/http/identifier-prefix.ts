/** Translates the two identifiers that carry a deployment's own word. */
export interface IdentifierPrefix {
  readonly toInternal: (json: string) => string;
  readonly toExternal: (json: string) => string;
  /** The same for one name that is no key, as in the `loc` of a fault. */
  readonly nameToExternal: (name: string) => string;
}

/**
 * Inside everything says `svc_`; at the border a deployment's prefix stands for it. Works on JSON text: a string
 * followed by a colon is a key, wherever it stands, and a quotation mark inside a string is escaped.
 */
export function createIdentifierPrefix(prefix: string): IdentifierPrefix {
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
