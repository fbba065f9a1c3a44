import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { findPhoneNumbersInText } from 'libphonenumber-js';
import type { Detector, Finding } from './detector.ts';

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
 * and with any spaces and dashes.
 */
export const detectPii: Detector = async (text, signal) => {
  const plain = toAscii(text);
  const others = [...ibans(plain), ...cards(plain), ...mails(text)];
  const found = [...others];
  for (const { start, end } of windows(text)) {
    await yieldToEventLoop(); // let other runs continue
    signal.throwIfAborted();
    // A number near the edge of a window belongs to the neighbouring window, which contains all of it.
    const from = start === 0 ? 0 : start + maxNumberLength;
    const to = end === text.length ? end : end - maxNumberLength;
    for (const phone of phones(text.slice(start, end))) {
      const placed = { ...phone, start: phone.start + start, end: phone.end + start };
      if (placed.start < from || placed.start >= to) continue;
      if (!others.some((one) => overlaps(one, placed))) found.push(placed);
    }
  }
  return found;
};

/** Yields overlapping windows of a text. */
function* windows(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  for (; start + windowLength < text.length; start += windowLength - 2 * maxNumberLength)
    yield { start, end: start + windowLength };
  yield { start, end: text.length };
}

/** Replaces digits, spaces and dashes of any script with ASCII, keeping all offsets. */
function toAscii(text: string): string {
  return text.replace(/[\p{Nd}\p{Zs}\p{Pd}]/gu, (character) => {
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

/** Allows letters of any script. @source RFC 6531 */
const mail =
  /[\p{L}\p{M}\p{N}_.!#$%&'*+/=?^`{|}~-]{1,64}[@\uff20](?:[\p{L}\p{M}\p{N}-]{1,63}[.\u3002\uff0e]){1,8}[\p{L}\p{M}\p{N}-]{1,63}/gu;

function mails(text: string): Finding[] {
  return [...text.matchAll(mail)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    kind: 'EMAIL',
    score: 0.99,
  }));
}

function cards(text: string): Finding[] {
  return [...text.matchAll(/(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g)].flatMap((match): Finding[] => {
    const digits = match[0].replace(/\D/g, '');
    return isLuhn(digits)
      ? [{ start: match.index, end: match.index + match[0].length, kind: 'CARD', score: 0.95 }]
      : [];
  });
}

function ibans(text: string): Finding[] {
  return [...text.matchAll(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])/gi)].flatMap(
    (match): Finding[] => {
      // Text may follow an account number after a space: the longest prefix with a valid checksum is the
      // number.
      for (let end = match[0].length; end >= 15; end -= 1) {
        const candidate = match[0].slice(0, end);
        const next = match[0][end];
        if (/[ -]$/.test(candidate) || (next !== undefined && !/[ -]/.test(next))) continue;
        if (isIban(candidate.replace(/[ -]/g, '').toUpperCase())) {
          return [{ start: match.index, end: match.index + end, kind: 'IBAN', score: 0.99 }];
        }
      }
      return [];
    },
  );
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
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighed = place % 2 === 1 ? digit * 2 : digit;
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

function overlaps(one: Finding, other: Finding): boolean {
  return one.start < other.end && other.start < one.end;
}
