import { configKeys, configTable, type Config, type ConfigKey, type ConfigRow } from './config-table.ts';

/** Where settings come from, strongest first. */
export const configSources = ['element', 'layout', 'json', 'published', 'script'] as const;
export type ConfigSource = (typeof configSources)[number];

/** Raw values of one source, not judged yet. */
export type RawConfig = Partial<Record<ConfigKey, unknown>>;

/** A value that was turned away: which, what it was, and what is allowed. */
export interface ConfigError {
  readonly attribute: string;
  readonly value: string;
  readonly allowed: string;
}

/**
 * Keeps the settings in force: several sources over each other, each value judged; an invalid one leaves the previous
 * valid one of the same source standing and is told once.
 */
export class ConfigResolver {
  /** What is in force now. A change gives a new object. */
  config: Config = initialConfig;
  readonly #valid = noValues();
  readonly #raw = noValues();
  readonly #onFault: (fault: ConfigError) => void;

  constructor(onFault: (fault: ConfigError) => void) {
    this.#onFault = onFault;
  }

  /** Sets or, with `undefined` or `null`, takes back one value of one source. Gives whether anything changed. */
  set(source: ConfigSource, key: ConfigKey, raw: unknown): boolean {
    if (this.#raw[source][key] === raw) return false;
    this.#raw[source][key] = raw;
    if (raw === undefined || raw === null) {
      this.#valid[source][key] = undefined;
    } else {
      const { attribute, parse, allowed } = configTable[key] as ConfigRow<unknown>; // one row, whichever
      const value = parse(raw);
      if (value === undefined) {
        this.#onFault({ attribute, value: String(raw).slice(0, 100), allowed });
        return false;
      }
      this.#valid[source][key] = value;
    }
    return this.#resolve(key);
  }

  /** Replaces a whole source. Gives whether anything changed. */
  replace(source: ConfigSource, values: RawConfig): boolean {
    let changed = false;
    for (const key of configKeys) changed = this.set(source, key, values[key]) || changed;
    return changed;
  }

  #resolve(key: ConfigKey): boolean {
    const said = configSources.map((source) => this.#valid[source][key]);
    const value = said.find((candidate) => candidate !== undefined) ?? configTable[key].initial;
    if (this.config[key] === value) return false;
    this.config = { ...this.config, [key]: value };
    return true;
  }
}

function noValues(): Record<ConfigSource, RawConfig> {
  return { element: {}, layout: {}, json: {}, published: {}, script: {} };
}

/** The defaults of the table. */
export const initialConfig = Object.fromEntries(
  configKeys.map((key) => [key, configTable[key].initial]),
) as unknown as Config; // every key of the table is there

/** Picks the table's settings out of JSON in the API's own shape. */
export function configFromJson(json: unknown): RawConfig {
  const raw: RawConfig = {};
  for (const key of configKeys) {
    const value = at(json, configTable[key].api);
    if (value !== undefined && value !== null) raw[key] = value;
  }
  return raw;
}

/** Picks the table's settings out of a script's `data-*`. */
export function configFromDataset(dataset: DOMStringMap): RawConfig {
  const raw: RawConfig = {};
  for (const key of configKeys) {
    // data-is-live arrives as isLive, which is the table's own key
    if (dataset[key] !== undefined) raw[key] = dataset[key];
  }
  return raw;
}

function at(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name]; // own key of an object
  }
  return value;
}
