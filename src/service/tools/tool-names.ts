import type { ServerSettings } from './tool-settings.ts';

/** Whether `include` of a server names a tool. */
export function isIncluded(name: string, include: readonly string[] | undefined): boolean {
  return include === undefined || include.some((pattern) => matches(name, pattern));
}

/** Whether a name matches a pattern in which `*` stands for any characters. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/**
 * Returns what is wrong with the names in the settings of a server: a name that no tool has would silently leave out a
 * tool, or an approval. `undefined`: nothing.
 * @param names of the server's tools
 */
export function misnamedTools(settings: ServerSettings, names: readonly string[]): string | undefined {
  const { name, include = [], approveTools, titles } = settings;
  const unknown = [
    ['include', include.filter((pattern) => !names.some((tool) => matches(tool, pattern)))],
    ['approve_tools', [...approveTools.keys()].filter((tool) => !names.includes(tool))],
    ['titles', [...titles.keys()].filter((tool) => !names.includes(tool))],
  ] as const;
  const parts = unknown.flatMap(([member, missing]) =>
    missing.length > 0 ? [`"${member}" names ${missing.join(', ')}`] : [],
  );
  if (parts.length === 0) return undefined;
  const known = names.join(', ').slice(0, 1000) || 'none';
  return `the MCP server "${name}" has no such tool: ${parts.join('; ')}. It has ${known}`;
}

/** The visible name of a function: `find_berth` and `findBerth` become `Find berth`. Other text stays as it is. */
export function titleOf(name: string): string {
  const words = /\s/.test(name.trim())
    ? name.trim()
    : name
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/[_:.-]+/g, ' ')
        .trim()
        .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
