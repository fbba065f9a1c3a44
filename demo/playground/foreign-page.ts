/** What the example host page is to use. */
export interface HostedChat {
  /** The script that Publish returned. */
  readonly script: string;
  /** What the page itself sets on the element, by attribute. */
  readonly settings: Readonly<Record<string, string>>;
  /** The JSON inside the element. */
  readonly extras: Readonly<Record<string, unknown>>;
}

/**
 * Address of the example host page on another origin than this one, with the chat it is to show. A machine's own
 * service answers under two names, which are two origins to a browser; any other service has only one.
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
