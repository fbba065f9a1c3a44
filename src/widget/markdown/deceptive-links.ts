/** Invisible characters: bidirectional controls, joiners, fillers, variation selectors. */
const invisible = /\p{DI}/gu;
/** Characters that reverse the text after them, so that readers see something else. */
const reversing = /[\u202d\u202e]/;
const start = /^[^\p{L}\p{N}]*(?:(https?|ftp):[\\/]+)?/u;
const hostName = /(?:(?:[\p{L}\p{M}\p{N}_-]+\.)+\p{L}{2,}|(?:\d+\.){3}\d+)(?![\p{L}\p{M}\p{N}_-])/gu;
/** Greek, Cyrillic, Armenian and Cherokee letters, many of which look like Latin ones. */
const lookAlike = /[\u0370-\u058f\u13a0-\u13ff]/;
/** Endings that are file extensions more often than top-level domains. */
const fileEndings =
  /\.(?:[cm]?[jt]sx?|md|py|rs|rb|sh|cs|css|html?|json|ya?ml|txt|pdf|cpp|php|java|xml|csv|zip|svg|png|jpe?g|gif)$/;

/**
 * Detects links whose label looks like a different address. Returns the real host, mailbox or number to show next to
 * it.
 * @param label the visible text of the link
 * @param url the target of the link
 * @returns undefined when the label names no address, or the right one
 */
export function mismatchedHost(label: string, url: URL): string | undefined {
  const text = label.normalize('NFKC').replace(invisible, '').replaceAll('。', '.').toLowerCase();
  const isWeb = url.protocol.startsWith('http');
  const real = isWeb ? url.host : url.pathname;
  const host = isWeb ? url.hostname : real.toLowerCase().replace(/^.*@/, '');
  const isTrue =
    isWeb || !text.includes('@')
      ? url.username + url.password === '' &&
        text.split(/\s+/).every((word) => claimedHosts(word).every((one) => `.${host}`.endsWith(`.${one}`)))
      : text.includes(real.toLowerCase());
  const isNumber = url.protocol !== 'tel:' || digitsOf(real.replace(/;.*/, '')).endsWith(claimedNumber(text));
  return isTrue && isNumber && !reversing.test(label) ? undefined : real;
}

/**
 * The digits of a telephone number in a label, without trunk prefixes such as a leading 0; `''` if there are fewer
 * than six.
 */
function claimedNumber(text: string): string {
  const digits = digitsOf(text.replace('(0)', '')).replace(/^0+/, '');
  return digits.length > 5 ? digits : '';
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The hosts that a word names; in a URL, those before its path. */
function claimedHosts(word: string): readonly string[] {
  const [before = '', scheme] = start.exec(word) ?? [];
  const [authority = ''] = word.slice(before.length).split(/[/?#\\]/, 1);
  // host names have at most 253 characters
  const names = authority.slice(0, 253).match(hostName);
  if (!names) return scheme ? [asHost(authority.replace(/:\d*$/, ''))] : [];
  return names.filter((name) => scheme || !fileEndings.test(name) || name.startsWith('www.')).map(asHost);
}

/** Normalizes a host name as in a URL. A name that mixes Latin letters with look-alikes matches no host. */
function asHost(name: string): string {
  try {
    if (!/[a-z]/.test(name) || !lookAlike.test(name))
      return new URL(`https://${name}`).hostname.replace(/^www\./, '');
  } catch {
    // not a host, so it never matches
  }
  return '?';
}
