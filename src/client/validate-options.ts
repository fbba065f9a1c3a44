import { editDistance } from './edit-distance.ts';

/** The check of one option, and a description of its valid values. */
export interface OptionRule {
  readonly allows: (value: unknown) => boolean;
  readonly expected: string;
}

export const functionRule: OptionRule = {
  allows: (value) => typeof value === 'function',
  expected: 'a function',
};

export const durationRule: OptionRule = {
  allows: (value) => typeof value === 'number' && value >= 0,
  expected: 'a number of milliseconds, 0 or more',
};

export const signalRule: OptionRule = {
  allows: (value) =>
    typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  expected: 'an AbortSignal',
};

/**
 * Checks options against rules.
 * @param where the function that the options were passed to; the error messages start with it
 * @throws TypeError for an option that does not exist (with a suggestion) or has the wrong type.
 */
export function checkOptions(
  where: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${where}: the options must be an object.`);
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw new TypeError(unknownOption(where, name, Object.keys(rules)));
    if (value !== undefined && !rule.allows(value))
      throw new TypeError(`${where}: ${name} must be ${rule.expected}.`);
  }
}

function unknownOption(where: string, name: string, known: readonly string[]): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)[0];
  const near =
    nearest !== undefined && nearest.distance <= Math.max(2, Math.ceil(nearest.candidate.length / 3));
  const hint = near ? `Did you mean "${nearest.candidate}"?` : `Options: ${known.join(', ')}.`;
  return `${where}: there is no option "${name.slice(0, 60)}". ${hint}`;
}
