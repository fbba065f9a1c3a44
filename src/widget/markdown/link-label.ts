const scheme = /^\s*(?:https?:\/\/|mailto:)/i;
const address = /(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?=$|[\s/:?#)\]]|\.$)/u;
const mailbox = /[\w.+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/u;
/** Endings that are more often a file's than a site's. */
const fileEndings =
  /\.(?:[cm]?[jt]sx?|md|py|rs|rb|sh|cs|css|html?|json|ya?ml|txt|pdf|cpp|php|java|xml|csv|zip|svg|png|jpe?g|gif)$/i;

/**
 * What to show beside a link whose label looks like another address: the real host, or the real mailbox.
 * @param label The link's text as a reader sees it.
 * @param url Where it really leads.
 * @returns undefined when the label makes no claim, or a true one.
 */
export function realAddress(label: string, url: URL): string | undefined {
  const text = label.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, '');
  if (url.protocol === 'mailto:') {
    const claimed = mailbox.exec(text)?.[0] ?? claimedHost(text);
    const real = decode(url.pathname);
    return claimed === undefined || real.toLowerCase().includes(claimed.toLowerCase()) ? undefined : real;
  }
  if (url.protocol === 'tel:') return claimedHost(text) === undefined ? undefined : url.pathname;
  const claimed = claimedHost(text);
  if (claimed === undefined) return undefined;
  const host = url.hostname.toLowerCase();
  return host === claimed || host.endsWith(`.${claimed}`) ? undefined : url.host;
}

function claimedHost(text: string): string | undefined {
  const found = address.exec(text)?.[0].toLowerCase();
  if (scheme.test(text)) {
    try {
      return withoutPrefix(new URL(text.trim()).hostname.toLowerCase());
    } catch {
      return found ?? text.trim();
    }
  }
  if (!found || (fileEndings.test(found) && !found.startsWith('www.'))) return undefined;
  try {
    return withoutPrefix(new URL(`https://${found}`).hostname);
  } catch {
    return found;
  }
}

function withoutPrefix(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
