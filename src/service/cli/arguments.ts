import { parseArgs } from 'node:util';

/** The command line was not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads `--name value` options.
 * @throws UsageError for an option that is not in `names`, a missing value or a stray word.
 */
export function readOptions<Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const { values } = parseArgs({ args: [...words], options, strict: true, allowPositionals: false });
    return values as Partial<Record<Name, string>>; // every option is declared as a string above
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a duration like `90s`, `10m`, `12h` or `30d` into seconds. @throws UsageError */
export function readDuration(text: string, option: string): number {
  const match = /^(\d+)([smhd]?)$/.exec(text);
  const seconds = match ? Number(match[1]) * (units[match[2] || 's'] ?? 1) : 0;
  if (seconds < 1)
    throw new UsageError(`${option} must be a duration like 90s, 10m, 12h or 30d, not "${text}"`);
  return seconds;
}

/** Reads scopes separated by commas or blanks. @throws UsageError naming the one that is unknown. */
export function readScopes(text: string, known: readonly string[]): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new UsageError(`there is no scope "${unknown}"; there are ${known.join(', ')}`);
  if (words.length === 0) throw new UsageError(`--scope needs one of ${known.join(', ')}`);
  return words;
}
