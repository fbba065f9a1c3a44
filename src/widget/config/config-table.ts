/** Parses an attribute's text, by kind of value; `undefined` for text that is not of that kind. */
const parsers = {
  string: (text: string) => text,
  boolean: (text: string) => (text === 'true' || !text ? true : text === 'false' ? false : undefined),
  url: (text: string) => {
    if (!text) return text;
    try {
      const { protocol, href } = new URL(text, document.baseURI);
      return /^https?:$/.test(protocol) ? href : undefined;
    } catch {
      return undefined;
    }
  },
  integer: (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  uuid: (text: string) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : undefined),
  colour: (text: string) =>
    text && !/var\(|currentcolor|inherit|initial|unset|revert/i.test(text) && CSS.supports('color', text)
      ? text
      : undefined,
  length: (text: string) => {
    const [, amount, unit = 'px'] = /^(\d*\.?\d+)(px|em|rem|%|vw|vh|dvh)?$/.exec(text) ?? [];
    return Number(amount) > 0 ? `${amount}${unit}` : undefined;
  },
};

/** What a setting may be: a kind of value, or one of these words. */
export type AllowedValues = keyof typeof parsers | readonly string[];

/** One setting: its names in HTML and in the API, the allowed values, and the default. */
export interface ConfigRow<Value> {
  /** Attribute of `<agent-chat>`; the script tag's is the same, prefixed with `data-`. */
  readonly attribute: string;
  /** Dotted path in the API's own JSON shape. */
  readonly api: string;
  readonly allowed: AllowedValues;
  readonly initial: Value;
}

/**
 * A row without its names, which follow from its key.
 * @param under parent in the JSON, such as `layout.`; a path without a final dot is the whole path
 */
function row<const Word extends string>(
  allowed: readonly Word[],
  initial: NoInfer<Word>,
  under?: string,
): Omit<ConfigRow<Word>, 'attribute'>;
function row<Value>(
  allowed: keyof typeof parsers,
  initial: Value,
  under?: string,
): Omit<ConfigRow<Value>, 'attribute'>;
function row(allowed: AllowedValues, initial: unknown, under = ''): Omit<ConfigRow<unknown>, 'attribute'> {
  return { api: under, allowed, initial };
}

const rows = {
  baseUrl: row('url', ''),
  agentId: row('string', ''),
  environmentId: row('string', ''),
  version: row<number | undefined>('integer', undefined),
  threadId: row<string | undefined>('uuid', undefined),
  token: row('string', ''),
  tokenUrl: row('url', ''),
  visitor: row('string', ''),
  primaryColor: row('colour', '#1f3a5f', 'layout.'),
  secondColor: row('colour', '#dbe7f6', 'layout.'),
  accentColor: row('colour', '#0b62d6', 'layout.'),
  theme: row(['light', 'dark', 'auto'], 'auto', 'layout.'),
  enableTextStreaming: row('boolean', true, 'layout.'),
  formType: row(['float', 'fullscreen-overlay', 'custom'], 'float', 'layout.form.type'),
  containerId: row('string', '', 'layout.form.properties.'),
  width: row('length', '', 'layout.form.properties.'),
  height: row('length', '', 'layout.form.properties.'),
  isLive: row('boolean', true),
  heading: row('string', ''),
  placeholder: row('string', ''),
  welcome: row('string', ''),
  open: row('boolean', false),
  lang: row('string', ''),
  dir: row(['ltr', 'rtl', 'auto', ''], ''),
  storage: row(['none', 'session', 'local'], 'session'),
  productPath: row('string', 'hub'),
  identifierPrefix: row('string', 'svc_'),
  formSubmit: row(['run', 'callback'], 'run'),
  announce: row(['answer', 'sentence', 'quiet'], 'answer'),
  notifications: row(['on', 'off'], 'on'),
  conversations: row(['auto', 'on', 'off'], 'auto'),
  sound: row(['on', 'off'], 'off'),
  speech: row(['on', 'off'], 'off'),
  disclosure: row(['ai', 'human', 'mixed', 'off'], 'ai'),
  liveConfig: row('boolean', false),
  preload: row(['none', 'idle', 'eager'], 'none'),
  pageTools: row(['off', 'registered', 'webmcp'], 'registered'),
  askTool: row(['on', 'off'], 'off'),
  preview: row('boolean', false),
  replay: row('url', ''),
};

type Rows = typeof rows;

/**
 * Every setting of the widget: attribute, API field, validation and default in one place. Attributes, properties,
 * JSON paths, `data-*` names and the documents are derived from it.
 */
export const configTable = Object.fromEntries(
  Object.entries(rows).map(([key, { api, ...rest }]) => [
    key,
    {
      ...rest,
      attribute: separateWords(key, '-'),
      api: !api || api.endsWith('.') ? api + separateWords(key, '_') : api,
    },
  ]),
) as unknown as { readonly [Key in keyof Rows]: Rows[Key] & { readonly attribute: string } }; // the same keys

/** Turns a name in camel case into one of words in lower case with a separator. */
export function separateWords(key: string, separator: string): string {
  return key.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/** A setting's name as a property. */
export type ConfigKey = keyof typeof configTable;

/** The settings in force. */
export type Config = {
  readonly [Key in ConfigKey]: (typeof configTable)[Key] extends { readonly initial: infer Value }
    ? Widen<Value>
    : never;
};
type Widen<Value> = Value extends boolean ? boolean : Value;

/** The keys of the table, in its order. */
export const configKeys = Object.keys(configTable) as ConfigKey[]; // the keys of a literal

/** Setting by attribute name. */
export const keyOfAttribute: ReadonlyMap<string, ConfigKey> = new Map(
  configKeys.map((key) => [configTable[key].attribute, key]),
);

/**
 * Parses one setting from an attribute (string) or from JSON (anything). Returns `undefined` for values that are not
 * allowed.
 */
export function parseSetting(key: ConfigKey, raw: unknown): unknown {
  const allowed: AllowedValues = configTable[key].allowed;
  if (typeof raw !== 'string' && typeof raw !== (allowed === 'boolean' ? 'boolean' : 'number'))
    return undefined;
  const text = `${raw}`.trim();
  return typeof allowed === 'string' ? parsers[allowed](text) : allowed.find((word) => word === text);
}
