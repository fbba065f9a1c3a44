/** The outcome of reading text as JSON; never thrown, since bad text is common on a wire. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const failure: ParsedJson = { ok: false };

/** Reads text as exactly one JSON value, white space around it allowed. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }; // `any` by the standard library
  } catch {
    return failure;
  }
}
