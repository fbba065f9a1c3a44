/**
 * The base URL without query, fragment and trailing slash.
 * @throws TypeError when it is no absolute http or https URL, or holds a password.
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

/** `URL.canParse` is younger than some browsers still in use. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
