const local = /^(localhost|127\.|\[::1\]|[\w.-]+:\d+)/i;

/**
 * Reads what was typed into an address field. Without a scheme it is https, on this machine or with a port http.
 *
 * @returns The address, or what is wrong with it.
 */
export function readAddress(text: string, protocolOfPage: string): URL | string {
  const typed = text.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(typed)
    ? typed
    : `${local.test(typed) ? 'http' : 'https'}://${typed}`;
  const address = URL.canParse(whole) ? new URL(whole) : undefined;
  // Chromium escapes what no host may contain
  if (!address || address.hostname.includes('%'))
    return `“${typed}” is not an address. Try something like www.example.com.`;
  if (address.protocol !== 'https:' && address.protocol !== 'http:')
    return 'Only http and https pages can be shown here.';
  if (
    address.protocol === 'http:' &&
    protocolOfPage === 'https:' &&
    !/^(localhost|127\.)/.test(address.hostname)
  )
    return 'This page is served by https, and browsers show no http page inside it. Paste a screenshot instead.';
  return address;
}
