/** Number of words that mark the beginning and the end of a passage. */
const edgeWords = 6;

/**
 * The address of a passage on a page: browsers scroll to it and mark it. Without a passage, or where the page already
 * names one, the address itself. Browsers that do not find the words open the page as usual.
 * @source URL Fragment Text Directives, WICG
 */
export function textFragmentUrl(address: URL, passage: string): string {
  const words = passage.replace(/…$/, '').trim().split(/\s+/);
  // the last word of a passage that was cut may be half a word
  if (passage.trimEnd().endsWith('…')) words.pop();
  if (!/^https?:$/.test(address.protocol) || words.join('') === '' || address.hash.includes(':~:'))
    return address.href;
  const parts = words.length > 2 * edgeWords ? [words.slice(0, edgeWords), words.slice(-edgeWords)] : [words];
  const directive = parts.map((part) => encodeURIComponent(part.join(' ')).replaceAll('-', '%2D')).join();
  return `${address.href}${address.hash ? '' : '#'}:~:text=${directive}`;
}
