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
  readonly #onChange: () => void;
  readonly #onError: (error: ConfigError) => void;

  constructor({ onChange, onError }: { onChange: () => void; onError: (error: ConfigError) => void }) {
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Sets one value of one source; `undefined` or `null` removes it. */
  set(source: ConfigSource, key: ConfigKey, raw: unknown): void {
    if (this.#raw[source][key] === raw) return;
    this.#raw[source][key] = raw;
    // the type of a single row is not known here
    const { attribute, parse, allowed, initial } = configTable[key] as ConfigRow<unknown>;
    const isGiven = raw !== undefined && raw !== null;
    const value = isGiven ? parse(raw) : undefined;
    if (isGiven && value === undefined) {
      this.#onError({ attribute, value: String(raw).slice(0, 100), allowed });
      return;
    }
    this.#valid[source][key] = value;
    const valid = configSources.map((name) => this.#valid[name][key]);
    const inForce = valid.find((candidate) => candidate !== undefined) ?? initial;
    if (this.config[key] === inForce) return;
    this.config = { ...this.config, [key]: inForce };
    this.#onChange();
  }

  /** Replaces all values of a source. */
  replace(source: ConfigSource, values: RawConfig): void {
    for (const key of configKeys) this.set(source, key, values[key]);
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
