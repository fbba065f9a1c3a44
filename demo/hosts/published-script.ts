/** A parsed script tag of the widget. */
export interface PublishedScript {
  readonly source: string;
  /** `data-…` attributes, by the name after `data-`. */
  readonly settings: Readonly<Record<string, string>>;
}

const names = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Parses the tag that Publish returned. The URL may come from anybody, so only a script and a service on this
 * machine are accepted; everything else returns `undefined`.
 */
export function readPublishedScript(tag: string, here: URL): PublishedScript | undefined {
  const inside = /^\s*<script\s([^<>]*)>\s*<\/script>\s*$/i.exec(tag)?.[1];
  if (inside === undefined) return undefined;
  let source = '';
  const settings: Record<string, string> = {};
  for (const [, name = '', value = ''] of inside.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
    if (name === 'src') source = unescaped(value);
    else if (name.startsWith('data-')) settings[name.slice(5)] = unescaped(value);
  }
  if (!URL.canParse(source)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(source);
  const isOurs = hostname === here.hostname || (names.includes(hostname) && names.includes(here.hostname));
  const isScript = protocol === here.protocol && port === here.port && pathname.endsWith('/agent-chat.js');
  // the page's token is sent to this URL
  const service = settings['base-url'] ?? source;
  const isService = URL.canParse(service) && new URL(service).origin === new URL(source).origin;
  return isOurs && isScript && isService ? { source, settings } : undefined;
}

/** What the page itself sets: attributes of the element, and the JSON inside it. */
export interface PageSettings {
  readonly settings: Readonly<Record<string, string>>;
  readonly extras: Readonly<Record<string, unknown>>;
  /** The settings that make the look's CSS. */
  readonly look: Readonly<Record<string, string>>;
}

/** Reads them from the URL; accepts only the listed attributes, and none that contains a URL. */
export function readPageSettings(text: string, allowed: readonly string[]): PageSettings {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = undefined;
  }
  const { settings, extras, look } = Object(read) as Record<string, unknown>; // any object
  const given = Object.entries(texts(settings)).filter(([name]) => allowed.includes(name));
  const { header, starters } = Object(extras) as Record<string, unknown>;
  return {
    settings: Object.fromEntries(given),
    extras: { ...(header === undefined ? {} : { header }), ...(starters === undefined ? {} : { starters }) },
    look: texts(look),
  };
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(value) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  '#39': "'",
  '#x27': "'",
  apos: "'",
};

function unescaped(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
