/**
 * The base URL without query, fragment and trailing slash.
 * @throws TypeError when it is not an absolute http or https URL, or contains a password.
 */
export function normaliseBaseUrl(given: string | URL | undefined): string {
  const text = String(given ?? '');
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'createAgentClient: baseUrl must be an absolute http or https URL, like "https://chat.example.com".',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(
      'createAgentClient: baseUrl must not hold a user name or password. Use tokenProvider.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Some supported browsers lack `URL.canParse`. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
