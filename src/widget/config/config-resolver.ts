import { configKeys, configTable, type Config, type ConfigKey, type ConfigRow } from './config-table.ts';

/** Sources of settings, highest precedence first. */
const configSources = ['element', 'layout', 'json', 'published', 'script'] as const;
export type ConfigSource = (typeof configSources)[number];

/** Unvalidated values of one source. */
export type RawConfig = Partial<Record<ConfigKey, unknown>>;

/** A rejected value: the setting, the value, and what is allowed. */
export interface ConfigError {
  readonly attribute: string;
  readonly value: string;
  readonly allowed: string;
}

/**
 * Resolves the settings from several sources and validates each value. An invalid value is ignored and reported
 * once; the last valid one of that source stays.
 */
export class ConfigResolver {
  /** The settings in force. Every change creates a new object. */
  config: Config = initialConfig;
  readonly #valid = noValues();
  readonly #raw = noValues();
  readonly #onError: (error: ConfigError) => void;

  constructor(onError: (error: ConfigError) => void) {
    this.#onError = onError;
  }

  /**
   * Sets one value of one source; `undefined` or `null` removes it.
   * @returns whether the settings changed
   */
  set(source: ConfigSource, key: ConfigKey, raw: unknown): boolean {
    if (this.#raw[source][key] === raw) return false;
    this.#raw[source][key] = raw;
    if (raw === undefined || raw === null) {
      this.#valid[source][key] = undefined;
    } else {
      // the type of a single row is not known here
      const { attribute, parse, allowed } = configTable[key] as ConfigRow<unknown>;
      const value = parse(raw);
      if (value === undefined) {
        this.#onError({ attribute, value: String(raw).slice(0, 100), allowed });
        return false;
      }
      this.#valid[source][key] = value;
    }
    return this.#resolve(key);
  }

  /**
   * Replaces all values of a source.
   * @returns whether the settings changed
   */
  replace(source: ConfigSource, values: RawConfig): boolean {
    let changed = false;
    for (const key of configKeys) changed = this.set(source, key, values[key]) || changed;
    return changed;
  }

  #resolve(key: ConfigKey): boolean {
    const reported = configSources.map((source) => this.#valid[source][key]);
    const value = reported.find((candidate) => candidate !== undefined) ?? configTable[key].initial;
    if (this.config[key] === value) return false;
    this.config = { ...this.config, [key]: value };
    return true;
  }
}

function noValues(): Record<ConfigSource, RawConfig> {
  return { element: {}, layout: {}, json: {}, published: {}, script: {} };
}

/** The table's default values. */
export const initialConfig = Object.fromEntries(
  configKeys.map((key) => [key, configTable[key].initial]),
) as unknown as Config; // the table has every key

/** Reads settings from JSON in the API's own shape. */
export function configFromJson(json: unknown): RawConfig {
  const raw: RawConfig = {};
  for (const key of configKeys) {
    const value = at(json, configTable[key].api);
    if (value !== undefined && value !== null) raw[key] = value;
  }
  return raw;
}

/** Reads settings from a script's `data-*` attributes. */
export function configFromDataset(dataset: DOMStringMap): RawConfig {
  const raw: RawConfig = {};
  for (const key of configKeys) {
    // `data-is-live` is `isLive` in the dataset, which equals the table's key
    if (dataset[key] !== undefined) raw[key] = dataset[key];
  }
  return raw;
}

function at(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name]; // an own key of an object
  }
  return value;
}
