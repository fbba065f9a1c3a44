/** The chat that the example host page shows. */
export interface HostedChat {
  /** The script tag that Publish returned. */
  readonly script: string;
  /** Attributes that the page itself sets on the element. */
  readonly settings: Readonly<Record<string, string>>;
  /** The JSON inside the element. */
  readonly extras: Readonly<Record<string, unknown>>;
}

/**
 * URL of the example host page on another origin, with its chat. A local service has two host names, which are two
 * origins; any other service has only one.
 */
export function foreignPage(
  chat: HostedChat,
  here: URL,
): { readonly href: string; readonly isForeign: boolean } {
  const there = new URL('/host.html', here);
  const isForeign = here.hostname === 'localhost' || here.hostname === '127.0.0.1';
  if (isForeign) there.hostname = here.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  const page = JSON.stringify({ settings: chat.settings, extras: chat.extras });
  there.hash = new URLSearchParams({ script: chat.script, page }).toString();
  return { href: there.href, isForeign };
}
