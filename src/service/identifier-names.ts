/** Translates the two identifiers that carry a deployment's own word, in JSON text. */
export interface IdentifierNames {
  readonly toInside: (json: string) => string;
  readonly toOutside: (json: string) => string;
}

/**
 * Inside everything says `svc_`; at the border a deployment's prefix stands for it. Works on JSON text: a string
 * followed by a colon is a key, wherever it stands, and a quotation mark inside a string is escaped.
 */
export function identifierNames(prefix: string): IdentifierNames {
  if (prefix === 'svc_') return { toInside: (json) => json, toOutside: (json) => json };
  const outside = new RegExp(`"${prefix}(message|connection_status)"(\\s*:)`, 'g');
  const inside = /"svc_(message|connection_status)"(\s*:)/g;
  return {
    toInside: (json) => json.replace(outside, '"svc_$1"$2'),
    toOutside: (json) => json.replace(inside, `"${prefix}$1"$2`),
  };
}
