import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { findPhoneNumbersInText } from 'libphonenumber-js';
import type { Detector, Finding } from './detector.ts';
import { sentenceCuts } from './safe-cuts.ts';

/** Country whose format is tried for numbers without a country code, with a lower score. */
const nationalGuess = 'US';
/**
 * Length of the window that is searched for phone numbers. The library takes seconds for a long run of
 * digits.
 */
const windowLength = 1000;
/** Upper limit for the length of a phone number with its extension. */
const maxNumberLength = 80;

/**
 * Finds email addresses, phone numbers, payment cards (by check digit) and IBANs (by checksum) in any script
 * and with any spaces and dashes. A text finds what its sentences find: see `safe-cuts.ts`.
 */
export const detectPii: Detector = async (text, signal) => {
  const plain = toAscii(text);
  const others = [...ibans(plain), ...cards(plain), ...mails(text)];
  const found = [...others];
  // What is known is covered, so that it neither hides a telephone number nor becomes part of one.
  let rest = covered(text, others);
  for (let round = 0; round < maxRounds; round += 1) {
    const numbers: Finding[] = [];
    for (const sentence of sentences(rest)) {
      for (const window of windows(sentence.text)) {
        if (!mayHavePhone(sentence.text.slice(window.start, window.end))) continue;
        await yieldToEventLoop(); // let other runs continue
        signal.throwIfAborted();
        for (const phone of phonesIn(sentence.text, window)) numbers.push(shifted(phone, sentence.start));
      }
    }
    if (numbers.length === 0) break;
    found.push(...numbers);
    rest = covered(rest, numbers);
  }
  return found;
};

/** A number beside another is sometimes found only when that one is covered. */
const maxRounds = 4;

/** Replaces findings with a sign of the same length that resembles a mask. */
function covered(text: string, found: readonly Finding[]): string {
  const parts: string[] = [];
  let offset = 0;
  for (const { start, end } of [...found].sort((one, other) => one.start - other.start)) {
    if (end <= offset) continue;
    const from = Math.max(start, offset);
    parts.push(
      text.slice(offset, from),
      '[',
      'E'.repeat(Math.max(0, end - from - 2)),
      end - from > 1 ? ']' : '',
    );
    offset = end;
  }
  return parts.join('') + text.slice(offset);
}

function* sentences(text: string): Generator<{ start: number; text: string }> {
  let start = 0;
  for (const cut of [...sentenceCuts(text), text.length]) {
    yield { start, text: text.slice(start, cut) };
    start = cut;
  }
}

/** The shortest telephone numbers have seven digits, near each other and without a plus sign between them. */
function mayHavePhone(text: string): boolean {
  return /\p{Nd}(?:[^\p{Nd}+\uff0b]{0,6}\p{Nd}){6}/u.test(text);
}

function shifted(finding: Finding, by: number): Finding {
  return { ...finding, start: finding.start + by, end: finding.end + by };
}

interface Window {
  readonly start: number;
  readonly end: number;
}

function phonesIn(text: string, { start, end }: Window): Finding[] {
  // A number near the edge of a window belongs to the neighbouring window, which contains all of it.
  const from = start === 0 ? 0 : start + maxNumberLength;
  const to = end === text.length ? end : end - maxNumberLength;
  return phones(text.slice(start, end))
    .map((phone) => shifted(phone, start))
    .filter((phone) => phone.start >= from && phone.start < to);
}

/** Yields overlapping windows of a text. */
function* windows(text: string): Generator<Window> {
  let start = 0;
  for (; start + windowLength < text.length; start += windowLength - 2 * maxNumberLength)
    yield { start, end: start + windowLength };
  yield { start, end: text.length };
}

/** Replaces digits, spaces and dashes of any script with ASCII, keeping all offsets. */
function toAscii(text: string): string {
  return text.replace(/(?![ -~])[\p{Nd}\p{Zs}\p{Pd}]/gu, (character) => {
    if (character.length > 1) return character;
    if (/\p{Nd}/u.test(character)) return digitOf(character);
    return /\p{Zs}/u.test(character) ? ' ' : '-';
  });
}

/**
 * Returns the ASCII digit. The digits of a script are ten consecutive code points after a gap.
 * @source Unicode, 4.6
 */
function digitOf(character: string): string {
  const code = character.charCodeAt(0);
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** The part before the sign, letters of any script. @source RFC 6531 */
const mailbox = /[\p{L}\p{M}\p{N}_.!#$%&'*+/=?^`{|}~-]{1,64}$/u;
const mailDomain = /^(?:[\p{L}\p{M}\p{N}-]{1,63}[.\u3002\uff0e]){1,8}[\p{L}\p{M}\p{N}-]{1,63}/u;

function mails(text: string): Finding[] {
  return [...text.matchAll(/[@\uff20]/g)].flatMap(({ index }): Finding[] => {
    const name = mailbox.exec(text.slice(Math.max(0, index - 128), index));
    const domain = name && mailDomain.exec(text.slice(index + 1, index + 600));
    if (!domain) return [];
    const end = index + 1 + domain[0].length;
    return [{ start: index - name[0].length, end, kind: 'EMAIL', score: 0.99 }];
  });
}

/** Groups of digits with single spaces or dashes between them: at least as many as 13 characters can hold. */
const digitGroups = /(?<![\d-])\d(?:[ -]?\d){6,}(?![\d-])/g;
/** How cards are printed, among other numbers. A group alone needs no such form. */
const cardForms: ReadonlySet<string> = new Set(['4,4,4,4', '4,6,5', '4,6,4', '4,4,4,4,3']);

function cards(text: string): Finding[] {
  return [...text.matchAll(digitGroups)].flatMap((match) => {
    if (match[0].length < 13) return [];
    const groups = [...match[0].matchAll(/\d+/g)];
    return groups.flatMap((first, from): Finding[] => {
      const found: Finding[] = [];
      let digits = '';
      let form = '';
      for (const [index, group] of groups.slice(from, from + 19).entries()) {
        digits += group[0];
        form += `${index === 0 ? '' : ','}${group[0].length}`;
        if (digits.length > 19) break;
        const isWhole = from === 0 && index === groups.length - 1;
        if (digits.length < 13 || !(isWhole || index === 0 || cardForms.has(form)) || !isLuhn(digits))
          continue;
        const start = match.index + first.index;
        found.push({ start, end: match.index + group.index + group[0].length, kind: 'CARD', score: 0.95 });
      }
      return found;
    });
  });
}

/** Text that may contain IBANs: one may begin anywhere in it, and another may follow directly. */
const ibanLike = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])/gi;

function ibans(text: string): Finding[] {
  const found: Finding[] = [];
  ibanLike.lastIndex = 0;
  for (let match = ibanLike.exec(text); match; match = ibanLike.exec(text)) {
    const length = ibanLength(match[0]);
    if (length > 0) found.push({ start: match.index, end: match.index + length, kind: 'IBAN', score: 0.99 });
    ibanLike.lastIndex = match.index + (length || 4);
  }
  return found;
}

/** Text may follow an account number after a space: the longest prefix with a valid checksum is the number. */
function ibanLength(text: string): number {
  for (let end = text.length; end >= 15; end -= 1) {
    const candidate = text.slice(0, end);
    const next = text[end];
    if (/[ -]$/.test(candidate) || (next !== undefined && !/[ -]/.test(next))) continue;
    if (isIban(candidate.replace(/[ -]/g, '').toUpperCase())) return end;
  }
  return 0;
}

function phones(text: string): Finding[] {
  if (!/\p{Nd}/u.test(text)) return [];
  // Without a default country, the library finds only numbers with a country code; many people write 00 for
  // +.
  const signed = text.replace(/(?<!\p{Nd})00(?=[1-9])/gu, ' +');
  const international = /[+\uff0b]/.test(signed)
    ? findPhoneNumbersInText(signed).map((phone) => {
        const startsAt = phone.startsAt - (text[phone.startsAt] === '0' ? 1 : 0);
        return { ...phone, startsAt, score: 0.95 };
      })
    : [];
  const national = findPhoneNumbersInText(text, nationalGuess).map((phone) => ({ ...phone, score: 0.6 }));
  const known = new Set(international.map((phone) => phone.startsAt));
  return [...international, ...national.filter((phone) => !known.has(phone.startsAt))].map((phone) => ({
    start: phone.startsAt,
    end: phone.endsAt,
    kind: 'PHONE',
    score: phone.score,
  }));
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum > 0 && sum % 10 === 0;
}

function isIban(iban: string): boolean {
  if (iban.length < 15 || iban.length > 34) return false;
  const turned = iban.slice(4) + iban.slice(0, 4);
  let remainder = 0;
  for (const character of turned) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
