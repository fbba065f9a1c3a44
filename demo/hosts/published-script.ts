/** A script tag of the widget taken apart. */
export interface PublishedScript {
  readonly source: string;
  /** `data-…` attributes, by the name after `data-`. */
  readonly settings: Readonly<Record<string, string>>;
}

const names = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the tag that Publish returned. Only a script of this machine's own service is taken: what stands in an
 * address may come from anybody. Gives nothing for anything else.
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
  return isOurs && isScript ? { source, settings } : undefined;
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
