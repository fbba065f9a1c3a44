/** Where an agent's content may load from. Everything else waits for the visitor's click, or is refused. */
export interface UrlPolicy {
  /**
   * The service's address: relative addresses of pictures, media and files resolve against it, and its origin is always
   * allowed. Links resolve against the page. `''`: none.
   */
  readonly baseUrl: string;
  /** Origins images may come from, e.g. `https://cdn.example.com`. `data:` allows images inside the message. */
  readonly images: readonly string[];
  /** Origins sound and video may come from. */
  readonly media: readonly string[];
  /** Origins that may be framed. */
  readonly frames: readonly string[];
}

/** Nothing but links. For leaves used without a host around them. */
export const strictPolicy: UrlPolicy = { baseUrl: '', images: [], media: [], frames: [] };

const linkSchemes: readonly string[] = ['https:', 'http:', 'mailto:', 'tel:'];
const longestUrl = 8192;

/**
 * The address of a link a visitor may follow: `https http mailto tel` only.
 * @param url Whatever the wire holds; anything but a string is no link.
 * @param baseUrl What a relative address resolves against. Default: the page, as for any link on it.
 * @returns undefined for everything that could run code, is unreadable, or is longer than 8192 characters.
 */
export function safeLinkUrl(url: unknown, baseUrl: string = pageAddress()): URL | undefined {
  const parsed = parseUrl(url, baseUrl);
  return parsed && linkSchemes.includes(parsed.protocol) ? parsed : undefined;
}

/**
 * The address of a file the page may load itself (image, sound, video, frame), allowed or not: `https http`, and
 * `data:image/…` in a raster format.
 */
export function safeMediaUrl(url: unknown, baseUrl?: string): URL | undefined {
  const parsed = parseUrl(url, baseUrl, 2_000_000);
  if (!parsed) return undefined;
  if (parsed.protocol === 'https:' || parsed.protocol === 'http:') return parsed;
  return /^data:image\/(png|jpeg|gif|webp|avif)[;,]/i.test(parsed.href) ? parsed : undefined;
}

/**
 * Whether a file may load without asking: its origin is the service's own or listed.
 * @param url An address, absolute or relative to `baseUrl`.
 * @param origins Allowed origins; an entry may carry a path, of which only the origin counts.
 */
export function isAllowed(url: string | URL, origins: readonly string[], baseUrl: string): boolean {
  const parsed = parseUrl(String(url), baseUrl, 2_000_000);
  if (!parsed) return false;
  if (parsed.protocol === 'data:') return origins.includes('data:');
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return false;
  return [baseUrl, ...origins].some((allowed) => parseUrl(allowed, undefined)?.origin === parsed.origin);
}

/** None in Node, where stored answers are read too. */
function pageAddress(): string {
  return typeof document === 'undefined' ? '' : document.baseURI;
}

function parseUrl(url: unknown, baseUrl: string | undefined, longest = longestUrl): URL | undefined {
  if (typeof url !== 'string' || url === '' || url.length > longest) return undefined;
  try {
    return baseUrl ? new URL(url, baseUrl) : new URL(url);
  } catch {
    return undefined;
  }
}
