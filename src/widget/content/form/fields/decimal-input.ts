/** A comma that the control dropped. */
interface DroppedComma {
  /** Its position, in characters of the control's value. */
  readonly position: number;
  /** True if it may be a thousands separator. */
  readonly groups: boolean;
}

const droppedCommas = new WeakMap<HTMLInputElement, DroppedComma>();
/** Inputs in which a point was typed that may be a thousands separator. */
const pointed = new WeakSet<HTMLInputElement>();
let isInserting = false;

/**
 * Handles what a number input drops silently where the browser's locale does not write it. Other digits and the minus
 * sign of typography are replaced by those of ASCII: `−5` would become 5. A decimal comma is replaced by the separator
 * that the control accepts if the form's locale uses one: `1,5` would become 15; otherwise this records the dropped
 * comma for `hasDroppedComma`.
 * @param locale BCP 47 tag of the form's language
 */
export function handleNumberInput(event: InputEvent, locale: string): void {
  const { target } = event;
  if (isInserting || !event.data || !(target instanceof HTMLInputElement)) return;
  const data = toAscii(event.data);
  if (event.data.includes('.') && separatorOf('group', locale) === '.') pointed.add(target);
  if (data === event.data && !data.includes(',')) return;
  if (!target.value.includes('.') && !data.includes('.')) pointed.delete(target);
  event.preventDefault();
  isInserting = true;
  for (const character of data.slice(0, 100)) {
    if ((insertCharacter(target, character) && !refusesComma(target, character)) || character !== ',')
      continue;
    const isDecimal = separatorOf('decimal', locale) === ',';
    const { value } = target;
    const isFirst = !value.includes('.');
    if (isDecimal && isFirst) insertCharacter(target, '.');
    else if (!droppedCommas.has(target))
      droppedCommas.set(target, { position: value.length, groups: !isDecimal && isFirst });
  }
  isInserting = false;
}

/** Replaces Arabic, Persian and full-width digits, the Arabic separators, and minus signs. */
function toAscii(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\u2212\uff0d]/g, '-')
    .replace(/[\u066b\uff0e]/g, '.')
    .replaceAll('\u066c', '');
}

/** Whether the control dropped a decimal comma, so that its value is wrong. */
export function hasDroppedComma(input: HTMLInputElement): boolean {
  const found = droppedCommas.get(input);
  if (!found) return false;
  const { position, groups } = found;
  if (input.value.length <= position) {
    droppedCommas.delete(input);
    return false;
  }
  const [behind = ''] = input.value.slice(position).split(/[.e]/i);
  return !groups || behind.length % 3 !== 0;
}

/**
 * The possible meanings of `1.234` where the locale writes `1.234,5`: 1234 by the locale, or the control's own
 * reading.
 * @returns both in the locale's notation, to ask the visitor; undefined if the value is unambiguous
 */
export function ambiguousReadings(
  input: HTMLInputElement,
): readonly [whole: string, broken: string] | undefined {
  const { value } = input;
  if (!pointed.has(input) || !/^-?[1-9]\d{0,2}\.(\d{3})+$/.test(value)) return undefined;
  return [value.replace('.', ''), value.replace('.', ',')];
}

/**
 * Inserts a character at the caret, so that undo works. `execCommand` is the only way, because number inputs do not
 * expose the caret.
 * @returns whether the control accepted it; a dropped character fires no input event
 */
function insertCharacter(input: HTMLInputElement, character: string): boolean {
  let taken = false;
  const note = (): void => void (taken = true);
  input.addEventListener('input', note, { capture: true });
  document.execCommand('insertText', false, character);
  input.removeEventListener('input', note, { capture: true });
  return taken;
}

/**
 * Removes a comma that the control displays but does not accept: WebKit, and Firefox in locales without a decimal
 * comma, then report an invalid number. In a locale with a decimal comma, the number is only incomplete until decimals
 * follow.
 */
function refusesComma(input: HTMLInputElement, character: string): boolean {
  if (character !== ',' || !input.validity.badInput || separatorOf('decimal') === ',') return false;
  document.execCommand('delete');
  return true;
}

/** @param locale Default: the browser's. */
function separatorOf(type: 'decimal' | 'group', locale?: string): string | undefined {
  return new Intl.NumberFormat(locale).formatToParts(1234567.5).find((part) => part.type === type)?.value;
}
