import { isObject } from '../protocol/json.ts';
import type { TokenProvider, TokenReason, WireDiagnostic } from './agent-client.ts';
import { abortable, startTimer } from './abortable.ts';
import { AgentChatError, TimeoutError } from './errors.ts';
import { loadHttpProblem } from './load-http-problem.ts';

/** How long before its expiry a token is replaced, in milliseconds. */
const refreshAhead = 60_000;
/** Shortest token that is removed from texts. A shorter one is a placeholder, and occurs in ordinary words. */
const minSecretLength = 8;

interface HeldToken {
  readonly value: string;
  /** When to request the next token, in milliseconds since the epoch; infinite when the token has no expiry. */
  readonly refreshAt: number;
  readonly expiresAt: number;
}

export interface TokenSettings {
  readonly provider: TokenProvider | undefined;
  /** Milliseconds to wait for the provider; 0: no limit. */
  readonly timeout: number;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/**
 * Holds the caller's token. Calls the provider once for all requests that wait, and replaces a JWT one minute before
 * its `exp` (at half its lifetime if that is under two minutes). Removes tokens from texts. After a provider timed out,
 * the next request calls it again.
 */
export class TokenSource {
  readonly #settings: TokenSettings;
  #held: HeldToken | undefined;
  #pending: Promise<string> | undefined;
  /** The last four tokens: a request in progress may use a token that was replaced. */
  #recent: readonly string[] = [];

  constructor(settings: TokenSettings) {
    this.#settings = settings;
  }

  /** Whether another token can be requested when the service rejects one. */
  get renewable(): boolean {
    return this.#settings.provider !== undefined;
  }

  /**
   * The token to send; undefined without a provider.
   * @throws HttpError of status 401 when the provider fails or returns no valid token; NetworkError when it fails
   * offline; TimeoutError when it does not settle in time.
   */
  async current(signal?: AbortSignal): Promise<string | undefined> {
    if (!this.renewable) return undefined;
    const held = this.#held;
    if (held && Date.now() < held.refreshAt) return held.value;
    try {
      return await this.#request(held ? 'expiring' : 'initial', signal);
    } catch (error) {
      if (!held || signal?.aborted || Date.now() >= held.expiresAt) throw error;
      this.#settings.onDiagnostic?.({
        code: 'token-refresh-failed',
        message: 'tokenProvider returned no new token. The current token is used until it expires.',
      });
      return held.value;
    }
  }

  /** A token to replace a rejected one. Calls the provider only if there is no newer token yet. */
  async replace(rejected: string | undefined, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#held !== undefined && this.#held.value !== rejected && this.#pending === undefined)
      return this.#held.value;
    return this.#request('rejected', signal);
  }

  /** Replaces recently used tokens in a text. */
  redact(text: string): string {
    return this.#recent
      .filter((token) => token.length >= minSecretLength)
      .reduce((clean, token) => clean.replaceAll(token, '[token]'), text);
  }

  #request(reason: TokenReason, signal: AbortSignal | undefined): Promise<string> {
    this.#pending ??= this.#fetch(reason).finally(() => {
      this.#pending = undefined;
    });
    return abortable(this.#pending, signal);
  }

  async #fetch(reason: TokenReason): Promise<string> {
    const value = tokenIn(await this.#callProvider(reason));
    if (value === undefined) throw (await loadHttpProblem('tokenProvider')).noToken();
    this.#held = heldToken(value);
    this.#recent = [value, ...this.#recent.filter((token) => token !== value)].slice(0, 4);
    return value;
  }

  async #callProvider(reason: TokenReason): Promise<unknown> {
    const { provider, timeout } = this.#settings;
    const late = new AbortController();
    const timer = startTimer(timeout, () => late.abort(new TimeoutError('token', timeout)));
    try {
      return await abortable(Promise.resolve(provider?.(reason)), late.signal);
    } catch (error) {
      const isAbort = error instanceof DOMException && error.name === 'AbortError';
      if (isAbort || error instanceof AgentChatError) throw error;
      throw (await loadHttpProblem('tokenProvider')).noToken({ cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Validates the token, because the platform's error for an invalid header would contain it. */
function tokenIn(returned: unknown): string | undefined {
  const text = isObject(returned) ? returned['token'] : returned;
  const value = typeof text === 'string' ? text.trim().replace(/^bearer\s+/i, '') : '';
  return /^[\x21-\x7e]+$/.test(value) ? value : undefined;
}

function heldToken(value: string): HeldToken {
  const now = Date.now();
  const expiresAt = expiry(value);
  // a token that seems expired means a wrong clock here: leave it to the service
  if (expiresAt === undefined || expiresAt <= now) return { value, refreshAt: Infinity, expiresAt: Infinity };
  return { value, refreshAt: Math.max(expiresAt - refreshAhead, now + (expiresAt - now) / 2), expiresAt };
}

/** `exp` of a JWT in milliseconds since the epoch; undefined for any other token. */
function expiry(token: string): number | undefined {
  const [, payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const exp = isObject(claims) ? claims['exp'] : undefined;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
