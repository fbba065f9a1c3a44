/** The chat that the example host page shows. */
export interface HostedChat {
  /** The script tag that Publish returned. */
  readonly script: string;
  /** Attributes that the page itself sets on the element. */
  readonly settings: Readonly<Record<string, string>>;
  /** The JSON inside the element. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** The settings that make the look's CSS. */
  readonly look: Readonly<Record<string, string>>;
}

/** The same address under the other host name of this machine, which is another origin. Unchanged for other hosts. */
export function onOtherHost(address: URL): URL {
  const other = new URL(address);
  if (address.hostname === 'localhost') other.hostname = '127.0.0.1';
  else if (address.hostname === '127.0.0.1') other.hostname = 'localhost';
  return other;
}

/** URL of the example host page with its chat; on another origin if the service is on this machine. */
export function foreignPage(
  chat: HostedChat,
  here: URL,
): { readonly href: string; readonly isForeign: boolean } {
  const there = onOtherHost(new URL('/host.html', here));
  const isForeign = there.origin !== here.origin;
  const page = JSON.stringify({ settings: chat.settings, extras: chat.extras, look: chat.look });
  there.hash = new URLSearchParams({ script: chat.script, page }).toString();
  return { href: there.href, isForeign };
}
