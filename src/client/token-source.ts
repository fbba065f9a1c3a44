import { isObject } from '../protocol/json.ts';
import type { TokenProvider, TokenReason, WireDiagnostic } from './agent-client.ts';
import { abortable, startTimer } from './abortable.ts';
import { AgentChatError, type Caused, NetworkError, TimeoutError } from './errors.ts';
import { loadHttpProblem } from './load-http-problem.ts';

/** How long before its end a token is replaced, in milliseconds. */
const refreshAhead = 60_000;

interface HeldToken {
  readonly value: string;
  /** When to ask for the next one, milliseconds since the epoch; infinite when the token does not say. */
  readonly refreshAt: number;
  readonly expiresAt: number;
}

export interface TokenSettings {
  readonly provider: TokenProvider | undefined;
  /** Milliseconds until the provider must have given a token; 0: for ever. */
  readonly timeout: number;
  readonly tell?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/**
 * Keeps the caller's token: asks the provider once for all requests that wait, replaces a JWT a minute before its `exp`
 * (half-way through when it lives shorter than two), and never lets a token into a message. A provider that does not
 * answer is not waited for again: the next request asks anew.
 */
export class TokenSource {
  readonly #settings: TokenSettings;
  #held: HeldToken | undefined;
  #pending: Promise<HeldToken> | undefined;
  /** Requests that are still on their way may carry a token that was replaced since. */
  #recent: readonly string[] = [];

  constructor(settings: TokenSettings) {
    this.#settings = settings;
  }

  /** Whether another token can be had when the service turns one away. */
  get renewable(): boolean {
    return this.#settings.provider !== undefined;
  }

  /**
   * The token to send; undefined without a provider.
   * @throws HttpError of status 401 when the provider fails or gives no usable token; NetworkError when it fails for
   * want of a network; TimeoutError when it does not answer.
   */
  async current(signal?: AbortSignal): Promise<string | undefined> {
    if (!this.renewable) return undefined;
    const held = this.#held;
    if (held === undefined) return (await abortable(this.#ask('initial'), signal)).value;
    if (Date.now() < held.refreshAt) return held.value;
    try {
      return (await abortable(this.#ask('expiring'), signal)).value;
    } catch (error) {
      if (signal?.aborted === true || Date.now() >= held.expiresAt) throw error;
      this.#settings.tell?.({
        code: 'token-refresh-failed',
        message:
          'The token runs out soon and tokenProvider gave no new one. The old one is used until it ends.',
      });
      return held.value;
    }
  }

  /** A token in place of one the service turned away. Asks only when no newer one has come meanwhile. */
  async replace(rejected: string | undefined, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#held !== undefined && this.#held.value !== rejected && this.#pending === undefined)
      return this.#held.value;
    return (await abortable(this.#ask('rejected'), signal)).value;
  }

  /** Takes the tokens lately used out of a text. */
  redact(text: string): string {
    return this.#recent.reduce((clean, token) => clean.replaceAll(token, '[token]'), text);
  }

  #ask(reason: TokenReason): Promise<HeldToken> {
    this.#pending ??= this.#fetch(reason).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetch(reason: TokenReason): Promise<HeldToken> {
    const given = await this.#given(reason);
    const value = tokenIn(given);
    if (value === undefined) throw await signedOut(notAToken);
    const held = hold(value);
    this.#held = held;
    this.#recent = [held.value, ...this.#recent.filter((token) => token !== held.value)].slice(0, 4);
    return held;
  }

  async #given(reason: TokenReason): Promise<unknown> {
    const { provider, timeout } = this.#settings;
    const late = new AbortController();
    const timer = startTimer(timeout, () => late.abort(new TimeoutError('token', timeout)));
    try {
      return await abortable(Promise.resolve(provider?.(reason)), late.signal);
    } catch (error) {
      throw await providerFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * @assumed a visitor for whom no token can be had is in the same place as one whose token is turned away: signed out;
 * not so without a network, where there is none for anybody
 */
async function providerFailure(error: unknown): Promise<unknown> {
  if (error instanceof AgentChatError || (error instanceof DOMException && error.name === 'AbortError'))
    return error;
  const lost = new NetworkError('tokenProvider', { cause: error });
  // Node has no such word, or none that is false
  if (globalThis.navigator?.onLine === false) return lost;
  return signedOut('tokenProvider gave no token', { cause: error });
}

const notAToken =
  'tokenProvider must give a token: a string without blanks, line ends or letters beyond ASCII, or {"token": "…"}.';

/** A visitor without a token: the same error as for a rejected token. */
async function signedOut(reason: string, options?: Caused): Promise<AgentChatError> {
  const { HttpError } = await loadHttpProblem('tokenProvider');
  return new HttpError({ status: 401, body: '', reason }, options);
}

/** Checked here: the platform's own error for a bad header would quote the token. */
function tokenIn(given: unknown): string | undefined {
  const text = isObject(given) ? given['token'] : given;
  const value = typeof text === 'string' ? text.trim().replace(/^bearer\s+/i, '') : '';
  return /^[\x21-\x7e]+$/.test(value) ? value : undefined;
}

function hold(value: string): HeldToken {
  const now = Date.now();
  const expiresAt = expiry(value);
  // A token that seems to have ended already tells of a wrong clock: only the service can judge it.
  if (expiresAt === undefined || expiresAt <= now) return { value, refreshAt: Infinity, expiresAt: Infinity };
  return { value, refreshAt: Math.max(expiresAt - refreshAhead, now + (expiresAt - now) / 2), expiresAt };
}

/** `exp` of a JWT in milliseconds since the epoch; undefined for any other token. */
function expiry(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined || token.split('.').length !== 3) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
