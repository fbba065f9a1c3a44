/** The result of parsing JSON: a value instead of an exception, because invalid text is common in streams. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const failure: ParsedJson = { ok: false };

/** Parses text as one JSON value, with optional white space around it. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }; // `any` by the standard library
  } catch {
    return failure;
  }
}
