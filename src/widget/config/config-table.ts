/**
 * Parses one setting from an attribute (string) or from JSON (anything). Returns `undefined` for values that are
 * not allowed.
 */
type Parse<Value> = (raw: unknown) => Value | undefined;

/** One setting: its names in HTML and in the API, the allowed values, and the default. */
export interface ConfigRow<Value> {
  /** Attribute of `<agent-chat>`; the script tag's is the same, prefixed with `data-`. */
  readonly attribute: string;
  /** Dotted path in the API's own JSON shape. */
  readonly api: string;
  readonly parse: Parse<Value>;
  /** The allowed values, as diagnostics list them. */
  readonly allowed: string;
  readonly initial: Value;
}

/**
 * A row without its names, which follow from its key.
 * @param under parent in the JSON, such as `layout.`; a path without a final dot is the whole path
 */
function row<Value>(
  [parse, allowed]: readonly [Parse<Value>, string],
  initial: Value,
  under = '',
): Omit<ConfigRow<Value>, 'attribute'> {
  return { api: under, parse, allowed, initial };
}

const asString: Parse<string> = (raw) =>
  typeof raw === 'string' ? raw : typeof raw === 'number' ? String(raw) : undefined;

const anyString = [asString, 'a string'] as const;

const url = [
  (raw: unknown) => {
    const text = asString(raw)?.trim();
    if (!text) return text;
    try {
      const { protocol, href } = new URL(text, document.baseURI);
      return /^https?:$/.test(protocol) ? href : undefined;
    } catch {
      return undefined;
    }
  },
  'an http or https address',
] as const;

/** Parses a non-empty string. */
function nonEmpty<Value>(read: (text: string) => Value | undefined): Parse<Value> {
  return (raw) => {
    const text = asString(raw)?.trim();
    return text ? read(text) : undefined;
  };
}

const integer = [
  nonEmpty((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined)),
  'a whole number',
] as const;

const uuid = [
  nonEmpty((text) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : undefined)),
  'a UUID',
] as const;

const colour = [
  nonEmpty((text) =>
    !/var\(|currentcolor|inherit|initial|unset|revert/i.test(text) && CSS.supports('color', text)
      ? text
      : undefined,
  ),
  'a CSS colour, like #0f62fe',
] as const;

const length = [
  nonEmpty((text) => {
    const [, amount, unit = 'px'] = /^(\d*\.?\d+)(px|em|rem|%|vw|vh|dvh)?$/.exec(text) ?? [];
    return amount && Number(amount) > 0 ? amount + unit : undefined;
  }),
  'a positive length in px, em, rem, %, vw, vh or dvh',
] as const;

const boolean = [
  (raw: unknown) => {
    if (typeof raw === 'boolean') return raw;
    return raw === '' || raw === 'true' ? true : raw === 'false' ? false : undefined;
  },
  'true or false',
] as const;

function oneOf<const Name extends string>(...names: Name[]): readonly [Parse<Name>, string] {
  return [(raw) => names.find((name) => name === raw), names.filter(Boolean).join(', ')];
}

const rows = {
  baseUrl: row(url, ''),
  agentId: row(anyString, ''),
  environmentId: row(anyString, ''),
  version: row<number | undefined>(integer, undefined),
  threadId: row<string | undefined>(uuid, undefined),
  token: row(anyString, ''),
  tokenUrl: row(url, ''),
  visitor: row(anyString, ''),
  primaryColor: row(colour, '#1f3a5f', 'layout.'),
  secondColor: row(colour, '#dbe7f6', 'layout.'),
  accentColor: row(colour, '#0b62d6', 'layout.'),
  theme: row(oneOf('light', 'dark', 'auto'), 'auto', 'layout.'),
  enableTextStreaming: row(boolean, true, 'layout.'),
  formType: row(oneOf('float', 'fullscreen-overlay', 'custom'), 'float', 'layout.form.type'),
  containerId: row(anyString, '', 'layout.form.properties.'),
  width: row(length, '', 'layout.form.properties.'),
  height: row(length, '', 'layout.form.properties.'),
  isLive: row(boolean, true),
  heading: row(anyString, ''),
  placeholder: row(anyString, ''),
  welcome: row(anyString, ''),
  open: row(boolean, false),
  lang: row(anyString, ''),
  dir: row<'ltr' | 'rtl' | 'auto' | ''>(oneOf('ltr', 'rtl', 'auto', ''), ''),
  storage: row(oneOf('none', 'session', 'local'), 'session'),
  productPath: row(anyString, 'hub'),
  identifierPrefix: row(anyString, 'svc_'),
  formSubmit: row(oneOf('run', 'callback'), 'run'),
  announce: row(oneOf('answer', 'sentence', 'quiet'), 'answer'),
  notifications: row(oneOf('on', 'off'), 'on'),
  conversations: row(oneOf('auto', 'on', 'off'), 'auto'),
  sound: row(oneOf('on', 'off'), 'off'),
  speech: row(oneOf('on', 'off'), 'off'),
  disclosure: row(oneOf('ai', 'human', 'mixed', 'off'), 'ai'),
  liveConfig: row(boolean, false),
  preload: row(oneOf('none', 'idle', 'eager'), 'none'),
  pageTools: row(oneOf('off', 'registered', 'webmcp'), 'registered'),
  askTool: row(oneOf('on', 'off'), 'off'),
  preview: row(boolean, false),
  replay: row(url, ''),
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

function separateWords(key: string, separator: string): string {
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
