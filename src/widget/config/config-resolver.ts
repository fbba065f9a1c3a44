import { configKeys, configTable, parseSetting, type Config, type ConfigKey } from './config-table.ts';

/** Sources of settings, highest precedence first. */
const configSources = ['element', 'layout', 'json', 'published', 'script'] as const;
export type ConfigSource = (typeof configSources)[number];

/** Unvalidated values of one source. */
export type RawConfig = Partial<Record<ConfigKey, unknown>>;

/**
 * Resolves the settings from several sources and validates each value. An invalid value is ignored and reported
 * once; the last valid one of that source stays.
 */
export class ConfigResolver {
  /** The settings in force. Every change creates a new object. */
  config: Config = initialConfig;
  /** The last valid value and the last value, by source and key, such as `element.theme`. */
  readonly #valid: Record<string, unknown> = {};
  readonly #raw: Record<string, unknown> = {};
  readonly #onChange: () => void;
  readonly #onInvalid: (key: ConfigKey, value: unknown) => void;

  constructor(onChange: () => void, onInvalid: (key: ConfigKey, value: unknown) => void) {
    this.#onChange = onChange;
    this.#onInvalid = onInvalid;
  }

  /** Sets one value of one source; `undefined` or `null` removes it. */
  set(source: ConfigSource, key: ConfigKey, raw: unknown): void {
    const name = `${source}.${key}`;
    if (this.#raw[name] === raw) return;
    this.#raw[name] = raw;
    const value = parseSetting(key, raw);
    if (value === undefined && raw !== undefined && raw !== null) {
      this.#onInvalid(key, raw);
      return;
    }
    this.#valid[name] = value;
    const valid = configSources.map((other) => this.#valid[`${other}.${key}`]);
    const inForce = valid.find((candidate) => candidate !== undefined) ?? configTable[key].initial;
    if (this.config[key] === inForce) return;
    this.config = { ...this.config, [key]: inForce };
    this.#onChange();
  }

  /** Replaces all values of a source. */
  replace(source: ConfigSource, values: RawConfig): void {
    for (const key of configKeys) this.set(source, key, values[key]);
  }
}

/** The table's default values. */
export const initialConfig = Object.fromEntries(
  configKeys.map((key) => [key, configTable[key].initial]),
) as unknown as Config; // the table has every key

/** Reads settings from JSON in the API's own shape. */
export function configFromJson(json: unknown): RawConfig {
  return Object.fromEntries(configKeys.map((key) => [key, at(json, configTable[key].api)]));
}

function at(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name]; // an own key of an object
  }
  return value;
}
