import { readFileSync } from 'node:fs';
import { readText, type Environment } from './setting-reader.ts';
import { settingTable } from './setting-table.ts';

/** All settings of the service. The table says what each one means, and its unit. */
export type ServiceSettings = {
  readonly [Name in keyof typeof settingTable]: ReturnType<(typeof settingTable)[Name]['read']>;
} & {
  /** Whether to serve the playground: its page, token endpoint and agents. */
  readonly playground: boolean;
};

/** Invalid settings, one line per error. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly errors: readonly string[];

  constructor(errors: readonly string[], options?: ErrorOptions) {
    super(errors.join('\n'), options);
    this.errors = errors;
  }
}

/** Reads a JSON settings file, with or without a byte order mark. @throws SettingsError */
export function readJsonFile(variable: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')) as unknown;
  } catch (cause) {
    // The parser's message quotes the file with its line breaks; an error must be one line.
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ');
    throw new SettingsError([`${variable} ${file} cannot be read: ${reason}`]);
  }
}

/** Reads the settings from an environment. @throws SettingsError with all errors */
export function readSettings(
  environment: Environment,
  { playground = false }: { readonly playground?: boolean } = {},
): ServiceSettings {
  const isSet = (name: string): boolean => readText(environment, name) !== undefined;
  const withDefaults = playground
    ? {
        ...environment,
        HOST: readText(environment, 'HOST') ?? 'localhost',
        DRAIN_TIMEOUT: readText(environment, 'DRAIN_TIMEOUT') ?? '0',
      }
    : environment;
  const errors: string[] = [];
  const values = Object.entries(settingTable).map(([name, { read }]): [string, unknown] => {
    try {
      return [name, read(withDefaults)];
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
      return [name, undefined];
    }
  });
  if (!playground && !['JWT_SECRET', 'JWT_SECRET_FILE', 'JWKS_URL'].some(isSet))
    errors.push('JWT_SECRET or JWKS_URL must be set: the service needs one to verify tokens');
  if (['EVENTS_URL', 'EVENTS_URL_FILE'].some(isSet) && !['DATABASE_URL', 'DATABASE_URL_FILE'].some(isSet))
    errors.push('EVENTS_URL needs DATABASE_URL: messages are stored in PostgreSQL, only events in Redis');
  if (errors.length > 0) throw new SettingsError(errors);
  return { ...Object.fromEntries(values), playground } as unknown as ServiceSettings; // read by the table
}
