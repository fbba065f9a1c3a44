/*
 * What markdown-it imports, as far as this project needs it. The build puts this file in place of its five
 * dependencies, which would more than double it: the whole entity table (ours is lazy), a link finder (ours follows
 * GitHub), URL parsing and punycode (the browser does both) and tables of Unicode (the engine has them).
 */
import { decodeEntity } from './entities.ts';

/** Decodes one character reference. */
export const decodeHTMLStrict = decodeEntity;
/** Punctuation and symbols. */
export const P: RegExp = /\p{P}/u;
export const S: RegExp = /\p{S}/u;

/** Never asked: links are found by our own rules. */
export function LinkifyIt(): void {
  return undefined;
}

/** Never asked: addresses are encoded by `encodeAddress`. */
export const parse = undefined;
export const format = undefined;
export const encode = undefined;
export const decode = undefined;

export default {};
