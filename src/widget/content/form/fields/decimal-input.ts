/** A comma that the control did not take. */
interface Left {
  /** Where it stood, in characters of the control's value. */
  readonly place: number;
  /** It may set thousands apart. */
  readonly groups: boolean;
}

const left = new WeakMap<HTMLInputElement, Left>();
/** Where a point was written, though it may set thousands apart. */
const pointed = new WeakSet<HTMLInputElement>();
let isInserting = false;

/**
 * A control for numbers drops a comma silently where the browser's language has none for decimals: of `1,5` it would
 * keep 15. Where the form's language writes decimals with a comma the control gets the mark that it takes; elsewhere
 * it is remembered, for `hasStrayComma`.
 * @param locale BCP 47 tag of the words around the control
 */
export function handleDecimalComma(event: InputEvent, locale: string): void {
  const { data, target } = event;
  if (isInserting || !data || !(target instanceof HTMLInputElement)) return;
  if (data.includes('.') && markOf('group', locale) === '.') pointed.add(target);
  if (!data.includes(',')) return;
  if (!target.value.includes('.') && !data.includes('.')) pointed.delete(target);
  event.preventDefault();
  isInserting = true;
  for (const character of data.slice(0, 100)) {
    if ((takes(target, character) && !refusesComma(target, character)) || character !== ',') continue;
    const isDecimal = markOf('decimal', locale) === ',';
    const { value } = target;
    const isFirst = !value.includes('.');
    if (isDecimal && isFirst) takes(target, '.');
    else if (!left.has(target)) left.set(target, { place: value.length, groups: !isDecimal && isFirst });
  }
  isInserting = false;
}

/** Whether a comma was dropped that did not set thousands apart: the value is not what was written. */
export function hasDroppedComma(input: HTMLInputElement): boolean {
  const found = left.get(input);
  if (!found) return false;
  const { place, groups } = found;
  if (input.value.length <= place) {
    left.delete(input);
    return false;
  }
  const [behind = ''] = input.value.slice(place).split(/[.e]/i);
  return !groups || behind.length % 3 !== 0;
}

/**
 * What was meant by `1.234` where the form's language writes `1.234,5`: 1234, as such a language has it, or what the
 * control makes of it.
 * @returns both as the language writes them, to be asked about; undefined where there is no doubt
 */
export function ambiguousReadings(
  input: HTMLInputElement,
): readonly [whole: string, broken: string] | undefined {
  const { value } = input;
  if (!pointed.has(input) || !/^-?[1-9]\d{0,2}\.(\d{3})+$/.test(value)) return undefined;
  return [value.replace('.', ''), value.replace('.', ',')];
}

/**
 * Writes at the caret, so that the visitor can undo it; nothing else can, for these controls hide where the caret is.
 * What a control drops makes no event.
 */
function takes(input: HTMLInputElement, character: string): boolean {
  let taken = false;
  const note = (): void => void (taken = true);
  input.addEventListener('input', note, { capture: true });
  document.execCommand('insertText', false, character);
  input.removeEventListener('input', note, { capture: true });
  return taken;
}

/**
 * WebKit, and Firefox in a language without it, show the comma, and then there is no number: it is taken out again. In
 * a browser whose language writes decimals with it, no number is there until its decimals are.
 */
function refusesComma(input: HTMLInputElement, character: string): boolean {
  if (character !== ',' || !input.validity.badInput || markOf('decimal') === ',') return false;
  document.execCommand('delete');
  return true;
}

/** @param locale that of the browser where it is left out */
function markOf(type: 'decimal' | 'group', locale?: string): string | undefined {
  return new Intl.NumberFormat(locale).formatToParts(1234567.5).find((part) => part.type === type)?.value;
}
