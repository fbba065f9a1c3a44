import { text } from './read-item.ts';

/** `firstName`, `first_name`, `first-name` → `First name`. */
export function readableName(key: string): string {
  const words = text(key, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  const plain = words.replace(/\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
}
