import { parseArgs } from 'node:util';

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Parses `--name value` options.
 * @throws UsageError for an unknown option, a missing value or a stray argument
 */
export function readOptions<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    return values as Partial<Record<Name, string>>; // every option is declared as a string above
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
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
