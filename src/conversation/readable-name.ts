/** `firstName`, `first_name`, `first-name` → `First name`. Acronyms keep their capitals: `homeURL` → `Home URL`. */
export function readableName(key: string): string {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .replace(/\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/**
 * What visitors read for a step. Names of functions are spelled out, `get_date` → "Get date"; names that are already
 * text stay as they are.
 */
export function stepTitle(name: string): string {
  if (!/^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$|^\p{Ll}+(?:\p{Lu}[\p{Ll}\p{N}]+)+$/u.test(name)) return name;
  const spelled = readableName(name);
  return spelled.slice(0, 1) + spelled.slice(1).toLowerCase();
}
