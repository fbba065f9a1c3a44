import type { TokenProvider, TokenReason, WireDiagnostic } from './agent-client.ts';
import { AgentChatError } from './errors.ts';
import { raceSignal } from './race-signal.ts';

/** How long before its end a token is replaced, in milliseconds. */
const refreshAhead = 60_000;

interface HeldToken {
  readonly value: string;
  /** When to ask for the next one, milliseconds since the epoch; infinite when the token does not say. */
  readonly refreshAt: number;
  readonly expiresAt: number;
}

/**
 * Keeps the caller's token: asks the provider once for all requests that wait, replaces a JWT a minute before its `exp`
 * (half-way through when it lives shorter than two), and never lets a token into a message.
 */
export class TokenSource {
  readonly #provider: TokenProvider | undefined;
  readonly #tell: ((diagnostic: WireDiagnostic) => void) | undefined;
  #held: HeldToken | undefined;
  #pending: Promise<HeldToken> | undefined;
  /** Requests that are still on their way may carry a token that was replaced since. */
  #recent: readonly string[] = [];

  constructor(provider: TokenProvider | undefined, tell?: (diagnostic: WireDiagnostic) => void) {
    this.#provider = provider;
    this.#tell = tell;
  }

  /** Whether another token can be had when the service turns one away. */
  get renewable(): boolean {
    return this.#provider !== undefined;
  }

  /**
   * The token to send; undefined without a provider.
   * @throws HttpError of status 401 when the provider fails; TypeError when it gives no usable token.
   */
  async current(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#provider === undefined) return undefined;
    const held = this.#held;
    if (held === undefined) return (await raceSignal(this.#ask('initial'), signal)).value;
    if (Date.now() < held.refreshAt) return held.value;
    try {
      return (await raceSignal(this.#ask('expiring'), signal)).value;
    } catch (error) {
      if (signal?.aborted === true || Date.now() >= held.expiresAt) throw error;
      this.#tell?.({
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
    return (await raceSignal(this.#ask('rejected'), signal)).value;
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
    let given: unknown;
    try {
      given = await this.#provider?.(reason);
    } catch (error) {
      throw await providerFailure(error);
    }
    const held = hold(given);
    this.#held = held;
    this.#recent = [held.value, ...this.#recent.filter((token) => token !== held.value)].slice(0, 4);
    return held;
  }
}

/** @assumed a visitor for whom no token can be had is in the same place as one whose token is turned away: signed out */
async function providerFailure(error: unknown): Promise<unknown> {
  if (error instanceof AgentChatError || (error instanceof DOMException && error.name === 'AbortError'))
    return error;
  const { HttpError } = await import('./response-errors.ts');
  return new HttpError({ status: 401, body: '', reason: 'tokenProvider gave no token' }, { cause: error });
}

function hold(given: unknown): HeldToken {
  const value = typeof given === 'string' ? given.trim().replace(/^bearer\s+/i, '') : '';
  // The platform's own error for a bad header would quote the token.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError(
      'tokenProvider must give a token: a string without blanks, line ends or letters beyond ASCII.',
    );
  }
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
