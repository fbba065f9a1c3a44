import { decodeEntity } from './entities.ts';

const escapeOrReference = /\\([!-/:-@[-`{-~])|&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/gi;
const isNamed = /^&[a-z]/i;

/** Decodes the backslash escapes and character references of a text. */
export function unescape(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(
    escapeOrReference,
    (found, escaped: string | undefined) => escaped ?? decodeReference(found),
  );
}

/** Decodes one character reference such as `&copy;`, `&#35;` or `&#x22;`; an unknown name stays as it is. */
export function decodeReference(reference: string): string {
  if (isNamed.test(reference)) return decodeEntity(reference);
  const isHexadecimal = /x/i.test(reference.charAt(2));
  const code = isHexadecimal ? parseInt(reference.slice(3), 16) : parseInt(reference.slice(2), 10);
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  return code === 0 || code > 0x10ffff || isSurrogate ? '\ufffd' : String.fromCodePoint(code);
}
