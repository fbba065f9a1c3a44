/** What takes no room: bidirectional controls, joiners, fillers, variation selectors. */
const unseen = /\p{DI}/gu;
/** What turns the letters after it around: a reader sees other words than stand there. */
const turning = /[\u202d\u202e]/;
const start = /^[^\p{L}\p{N}]*(?:(https?|ftp):[\\/]+)?/u;
const hostName = /(?:(?:[\p{L}\p{M}\p{N}_-]+\.)+\p{L}{2,}|(?:\d+\.){3}\d+)(?![\p{L}\p{M}\p{N}_-])/gu;
/** Greek, Cyrillic, Armenian and Cherokee letters, many of which pass for Latin ones. */
const lookAlike = /[\u0370-\u058f\u13a0-\u13ff]/;
/** Endings that are more often a file's than a site's. */
const fileEndings =
  /\.(?:[cm]?[jt]sx?|md|py|rs|rb|sh|cs|css|html?|json|ya?ml|txt|pdf|cpp|php|java|xml|csv|zip|svg|png|jpe?g|gif)$/;

/**
 * What to show beside a link whose label looks like another address: the real host, mailbox or number.
 * @param label The link's text as a reader sees it.
 * @param url Where it really leads.
 * @returns undefined when the label makes no claim, or only true ones.
 */
export function mismatchedHost(label: string, url: URL): string | undefined {
  const text = label.normalize('NFKC').replace(unseen, '').replaceAll('。', '.').toLowerCase();
  const isWeb = url.protocol.startsWith('http');
  const real = isWeb ? url.host : url.pathname;
  const host = isWeb ? url.hostname : real.toLowerCase().replace(/^.*@/, '');
  const isTrue =
    isWeb || !text.includes('@')
      ? url.username + url.password === '' &&
        text.split(/\s+/).every((word) => claimedHosts(word).every((one) => `.${host}`.endsWith(`.${one}`)))
      : text.includes(real.toLowerCase());
  const isNumber = url.protocol !== 'tel:' || digitsOf(real.replace(/;.*/, '')).endsWith(claimedNumber(text));
  return isTrue && isNumber && !turning.test(label) ? undefined : real;
}

/** The digits of a telephone number in a label without what only stands before it at home; `''` for fewer than six. */
function claimedNumber(text: string): string {
  const digits = digitsOf(text.replace('(0)', '')).replace(/^0+/, '');
  return digits.length > 5 ? digits : '';
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The hosts a word names: in an address those before its path. */
function claimedHosts(word: string): readonly string[] {
  const [before = '', scheme] = start.exec(word) ?? [];
  const [place = ''] = word.slice(before.length).split(/[/?#\\]/, 1);
  // no host is longer
  const names = place.slice(0, 253).match(hostName);
  if (!names) return scheme ? [asHost(place.replace(/:\d*$/, ''))] : [];
  return names.filter((name) => scheme || !fileEndings.test(name) || name.startsWith('www.')).map(asHost);
}

/** A name as it stands in an address. One that mixes Latin letters with their look-alikes is nobody's. */
function asHost(name: string): string {
  try {
    if (!/[a-z]/.test(name) || !lookAlike.test(name))
      return new URL(`https://${name}`).hostname.replace(/^www\./, '');
  } catch {
    // no host, and no true claim
  }
  return '?';
}
