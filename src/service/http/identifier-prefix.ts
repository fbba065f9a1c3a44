/** Translates the two identifiers that carry a deployment's own word. */
export interface IdentifierNames {
  readonly toInside: (json: string) => string;
  readonly toOutside: (json: string) => string;
  /** The same for one name that is no key, as in the `loc` of a fault. */
  readonly nameToOutside: (name: string) => string;
}

/**
 * Inside everything says `svc_`; at the border a deployment's prefix stands for it. Works on JSON text: a string
 * followed by a colon is a key, wherever it stands, and a quotation mark inside a string is escaped.
 */
export function identifierNames(prefix: string): IdentifierNames {
  if (prefix === 'svc_') {
    const same = (text: string): string => text;
    return { toInside: same, toOutside: same, nameToOutside: same };
  }
  const outside = new RegExp(`"${prefix}(message|connection_status)"(\\s*:)`, 'g');
  const inside = /"svc_(message|connection_status)"(\s*:)/g;
  return {
    toInside: (json) => json.replace(outside, '"svc_$1"$2'),
    toOutside: (json) => json.replace(inside, `"${prefix}$1"$2`),
    nameToOutside: (name) => name.replace(/^svc_(message|connection_status)$/, `${prefix}$1`),
  };
}
