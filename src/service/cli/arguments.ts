import { parseArgs } from 'node:util';

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Parses `--name value` options.
 * @throws UsageError for an unknown option, one that is given twice, a missing value or a stray argument
 */
export function readOptions<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const options = Object.fromEntries(
    names.map((name) => [name, { type: 'string', multiple: true }] as const),
  );
  let values: Partial<Record<string, string[]>>;
  try {
    ({ values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
  const given: Partial<Record<string, string>> = {};
  for (const [name, [value, ...more] = []] of Object.entries(values)) {
    if (more.length > 0) throw new UsageError(`--${name} may be given only once`);
    given[name] = value;
  }
  return given as Partial<Record<Name, string>>; // parseArgs rejects other names
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses a duration like `90s`, `10m`, `12h` or `30d` to seconds. @throws UsageError */
export function readDuration(text: string, option: string): number {
  const match = /^(\d+)([smhd]?)$/.exec(text);
  const seconds = match ? Number(match[1]) * (units[match[2] || 's'] ?? 1) : 0;
  if (seconds < 1)
    throw new UsageError(`${option} must be a duration like 90s, 10m, 12h or 30d, not "${text}"`);
  return seconds;
}

/** Parses scopes separated by commas or spaces. @throws UsageError for an unknown scope */
export function readScopes(text: string, known: readonly string[]): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new UsageError(`unknown scope "${unknown}"; the scopes are ${known.join(', ')}`);
  if (words.length === 0) throw new UsageError(`--scope needs at least one of ${known.join(', ')}`);
  return words;
}
