import type { GivenToken, TokenReason } from '../../client/agent-client.ts';
import { NetworkError } from '../../client/errors.ts';
import { fieldsOf } from '../../conversation/read-values.ts';
import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { TokenNeededEvent } from '../events/chat-events.ts';
import { readOption } from '../config/read-option.ts';

/** Milliseconds after which a request to `token-url` is given up: as long as the client waits for a token. */
const patience = 30_000;

/**
 * Gets a token the way the host said: `tokenProvider`, else `token-url`, else `token`, else whoever answers
 * `agent-chat-token-needed`.
 * @throws Error when nobody has one; the turn then waits for the visitor to sign in. NetworkError when `token-url` cannot
 * be reached; the turn then waits for the network.
 */
export async function tokenFor(host: ChatHost, reason: TokenReason): Promise<GivenToken> {
  const provider = readOption(host, 'tokenProvider');
  if (provider) return provider(reason);
  const { tokenUrl, token } = host.config;
  if (tokenUrl) return fetchToken(host, tokenUrl);
  if (token && reason !== 'rejected') {
    if (!/^(localhost|127\.|\[::1\])/.test(location.hostname)) {
      diagnose(
        host,
        'token-attribute',
        'token is for development only; use token-url or tokenProvider in production.',
      );
    }
    return token;
  }
  const event = new TokenNeededEvent(reason);
  host.dispatchEvent(event);
  if (!event.response) {
    diagnose(
      host,
      'token-missing',
      'There is no token: set token-url or tokenProvider, or answer agent-chat-token-needed.',
    );
    throw new Error('nobody gave a token');
  }
  return event.response;
}

async function fetchToken(host: ChatHost, tokenUrl: string): Promise<string> {
  const ask = readOption(host, 'fetch') ?? fetch;
  const response = await ask(tokenUrl, {
    credentials: 'include',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(patience),
  }).catch((cause: unknown) => {
    throw new NetworkError(tokenUrl.replace(/[?#].*$/, ''), { cause });
  });
  const body: unknown = response.ok && (await response.json().catch(() => undefined));
  const { token } = fieldsOf(body);
  if (typeof token === 'string' && token) return token;
  diagnose(
    host,
    'token-url',
    `token-url gave no token (status ${response.status}): it must answer 200 with {"token": "…"}.`,
  );
  throw new Error('token-url gave no token');
}
