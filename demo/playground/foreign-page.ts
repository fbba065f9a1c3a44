/**
 * Address of the example host page on another origin than this one, with the script it is to use. A machine's own
 * service answers under two names, which are two origins to a browser; any other service has only one.
 */
export function foreignPage(
  script: string,
  here: URL,
): { readonly href: string; readonly isForeign: boolean } {
  const there = new URL('/host.html', here);
  const isForeign = here.hostname === 'localhost' || here.hostname === '127.0.0.1';
  if (isForeign) there.hostname = here.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  there.hash = new URLSearchParams({ script }).toString();
  return { href: there.href, isForeign };
}
