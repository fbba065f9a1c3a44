import type { GivenToken, TokenReason } from '../../client/agent-client.ts';
import { NetworkError } from '../../client/errors.ts';
import { loadHttpProblem } from '../../client/load-http-problem.ts';
import { asObject } from '../../conversation/read-values.ts';
import type { ChatHost } from '../chat-host.ts';
import { TokenNeededEvent } from '../events/chat-events.ts';
import { readOption } from '../config/read-option.ts';
import { isLoopbackPage } from '../platform/loopback-page.ts';
import { diagnoseSetup } from './diagnose-setup.ts';

/** Timeout of a request to `token-url`, in ms; equals the client's timeout for tokens. */
const timeoutMs = 30_000;

/**
 * Requests a token from the first source that is set: `tokenProvider`, `token-url`, `token`, then the
 * `agent-chat-token-needed` event.
 * @throws Error when no source has a token.
 * @throws HttpError of status 401 when `token-url` says that nobody is signed in (401, 403, or a redirect to a page that
 *   exists). The run then waits until the visitor has signed in.
 * @throws NetworkError when `token-url` cannot be reached.
 * @throws TokenEndpointError when `token-url` gives an unusable response.
 */
export async function requestToken(host: ChatHost, reason: TokenReason): Promise<GivenToken> {
  const provider = readOption(host, 'tokenProvider');
  if (provider) return provider(reason);
  const { tokenUrl, token } = host.config;
  if (tokenUrl) return fetchToken(host, tokenUrl);
  if (token && reason !== 'rejected') {
    if (!isLoopbackPage()) diagnoseSetup(host, { code: 'token-attribute' });
    return token;
  }
  const event = new TokenNeededEvent(reason);
  host.dispatchEvent(event);
  if (!event.response) {
    diagnoseSetup(host, { code: 'token-missing', isRefused: token !== '' });
    if (token) return token; // the service says once more why it refuses it
    throw new Error('no source has a token');
  }
  return event.response;
}

async function fetchToken(host: ChatHost, tokenUrl: string): Promise<string> {
  const ask = readOption(host, 'fetch') ?? fetch;
  const url = new URL(tokenUrl, document.baseURI).href.replace(/[?#].*$/, '');
  const response = await ask(tokenUrl, {
    credentials: 'include',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    if (navigator.onLine) diagnoseSetup(host, { code: 'token-url', url });
    throw new NetworkError(url, { cause });
  });
  const body: unknown = response.ok && (await response.json().catch(() => undefined));
  const { token } = asObject(body);
  if (typeof token === 'string' && token) return token;
  const { status, redirected, headers } = response;
  diagnoseSetup(host, { code: 'token-url', url, status });
  const { HttpError, TokenEndpointError, requestIdOf } = await loadHttpProblem(url);
  const facts = { url, status, requestId: requestIdOf(headers) };
  if (status === 401 || status === 403 || (redirected && response.ok))
    throw new HttpError({ ...facts, status: 401, body: '', reason: `token-url answered ${status}` });
  throw new TokenEndpointError(facts);
}
