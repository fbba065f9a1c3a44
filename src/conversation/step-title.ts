/**
 * What visitors read for a step. Names of functions are spelled out, `get_date` → "Get date"; names that are already
 * text stay as they are.
 */
export function stepTitle(name: string): string {
  if (!/^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$|^\p{Ll}+(?:\p{Lu}[\p{Ll}\p{N}]+)+$/u.test(name)) return name;
  const spelled = name
    .replaceAll('_', ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  return spelled.slice(0, 1).toUpperCase() + spelled.slice(1);
}
