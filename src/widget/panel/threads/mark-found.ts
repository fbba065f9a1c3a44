import { html } from 'lit';

/** Renders a text with the words of a query marked, as far as they are spelled alike. */
export function markFound(text: string, query: string): unknown {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu);
  if (!words) return text;
  const longestFirst = words.sort((one, other) => other.length - one.length);
  const parts = text.split(new RegExp(`(${longestFirst.join('|')})`, 'giu'));
  return parts.map((part, place) => (place % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
