import { setImmediate as turn } from 'node:timers/promises';
import { findPhoneNumbersInText } from 'libphonenumber-js';
import type { Detector, Finding } from './detector.ts';

/** Country whose way of writing is tried for numbers without a country code, with less certainty. */
const nationalGuess = 'US';
/** Characters that are searched for telephone numbers at a time: a long run of digits takes the library seconds. */
const windowLength = 1000;
/** More characters than a telephone number takes with its extension. */
const longestNumber = 80;

/** Finds mail addresses, telephone numbers, payment cards (by their check digit) and IBANs (by their check number). */
export const detectPii: Detector = async (text, signal) => {
  const others = [...ibans(text), ...cards(text), ...mails(text)];
  const found = [...others];
  for (const { start, end } of windows(text)) {
    await turn(); // everybody else's runs go on meanwhile
    signal.throwIfAborted();
    // A number that begins near the edge of a window is another window's, which sees all of it.
    const from = start === 0 ? 0 : start + longestNumber;
    const to = end === text.length ? end : end - longestNumber;
    for (const phone of phones(text.slice(start, end))) {
      const placed = { ...phone, start: phone.start + start, end: phone.end + start };
      if (placed.start < from || placed.start >= to) continue;
      if (!others.some((one) => overlaps(one, placed))) found.push(placed);
    }
  }
  return found;
};

/** Pieces of a text, each beginning before the end of the one before. */
function* windows(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  for (; start + windowLength < text.length; start += windowLength - 2 * longestNumber)
    yield { start, end: start + windowLength };
  yield { start, end: text.length };
}

function mails(text: string): Finding[] {
  return [...text.matchAll(/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi)].map(
    (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      kind: 'EMAIL',
      score: 0.99,
    }),
  );
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
  return [...text.matchAll(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/gi)].flatMap(
    (match): Finding[] => {
      // Words may follow an account number after a blank: the longest beginning that adds up is the number.
      for (let end = match[0].length; end >= 15; end -= 1) {
        const candidate = match[0].slice(0, end);
        const next = match[0][end];
        if (candidate.endsWith(' ') || (next !== undefined && next !== ' ')) continue;
        if (isIban(candidate.replaceAll(' ', '').toUpperCase())) {
          return [{ start: match.index, end: match.index + end, kind: 'IBAN', score: 0.99 }];
        }
      }
      return [];
    },
  );
}

function phones(text: string): Finding[] {
  if (!/\p{Nd}/u.test(text)) return [];
  // Without a country only numbers that name theirs are found.
  const international = /[+\uff0b]/.test(text)
    ? findPhoneNumbersInText(text).map((phone) => ({ ...phone, score: 0.95 }))
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
