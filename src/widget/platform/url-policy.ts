/** Origins that an agent's content may load from. Everything else waits for a click or is blocked. */
export interface UrlPolicy {
  /**
   * URL of the service. Relative URLs of images, media and files resolve against it, and its origin is always
   * allowed. Links resolve against the page. `''` means none.
   */
  readonly baseUrl: string;
  /**
   * Origins that images may come from, such as `https://cdn.example.com`; `data:` allows images inside the message.
   */
  readonly images: readonly string[];
  /** Origins that audio and video may come from. */
  readonly media: readonly string[];
  /** Origins that may be framed. */
  readonly frames: readonly string[];
}

/** Allows links only; the default for components without a host. */
export const strictPolicy: UrlPolicy = { baseUrl: '', images: [], media: [], frames: [] };

const linkSchemes: readonly string[] = ['https:', 'http:', 'mailto:', 'tel:'];
const longestUrl = 8192;

/**
 * Returns the URL of a link that is safe to follow: `https http mailto tel` only.
 * @param url any value from the wire; only strings are links
 * @param baseUrl base for relative URLs. Default: the page.
 * @returns undefined for URLs that could run code, cannot be parsed, or are longer than 8192 characters
 */
export function safeLinkUrl(url: unknown, baseUrl: string = pageAddress()): URL | undefined {
  const parsed = parseUrl(url, baseUrl);
  return parsed && linkSchemes.includes(parsed.protocol) ? parsed : undefined;
}

/**
 * Returns the URL of a file that the page may load (image, audio, video, frame), before the allowed origins are
 * checked: `https http`, and `data:` with a picture in a raster format or a sound.
 */
export function safeMediaUrl(url: unknown, baseUrl?: string): URL | undefined {
  const parsed = parseUrl(url, baseUrl, 2_000_000);
  if (!parsed) return undefined;
  if (parsed.protocol === 'https:' || parsed.protocol === 'http:') return parsed;
  return /^data:(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+)[;,]/i.test(parsed.href)
    ? parsed
    : undefined;
}

/**
 * Whether a file may load without a click: its origin is the service's own, or listed.
 * @param url absolute, or relative to `baseUrl`
 * @param origins allowed origins; the path of an entry is ignored
 */
export function isAllowed(url: string | URL, origins: readonly string[], baseUrl: string): boolean {
  const parsed = parseUrl(String(url), baseUrl, 2_000_000);
  if (!parsed) return false;
  if (parsed.protocol === 'data:') return origins.includes('data:');
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return false;
  return [baseUrl, ...origins].some((allowed) => parseUrl(allowed, undefined)?.origin === parsed.origin);
}

/** undefined in Node, where stored answers are also read */
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
