import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Assets } from '../assets/assets.ts';
import { scopes } from '../auth/caller.ts';
import { signToken } from '../auth/verify-token.ts';
import { sendAsset } from './assets.ts';

/** Who the visitors of a playground belong to. */
export const playgroundTenant = 'playground';
const cookieName = 'agent_chat_demo';
/** Seconds; short, so that a page left open shows how tokens are fetched again. */
const tokenLifetimeSeconds = 600;

/**
 * Serves the playground's pages, and `/demo/token`: a short-lived token for the visitor, as a site's own endpoint gives
 * one. Pages on any loopback origin may ask, so that a pasted snippet chats. A browser stays the same visitor.
 */
export function playgroundRoutes(app: FastifyInstance, options: { directory: string; secret: string }): void {
  const pages = new Assets(options.directory);

  app.get('/demo/token', async (request, reply) => {
    const known = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f-]{36})(?:;|$)`).exec(
      request.headers.cookie ?? '',
    )?.[1];
    const visitor = known ?? visitorWithoutCookie(request, options.secret);
    const { origin } = request.headers;
    void reply.header('vary', 'Origin');
    if (origin !== undefined && isLoopback(origin)) {
      void reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      });
    }
    void reply.header(
      'set-cookie',
      `${cookieName}=${visitor}; Path=/demo/token; Max-Age=31536000; HttpOnly; SameSite=Lax`,
    );
    const claims = { subject: `visitor-${visitor}`, tenantId: playgroundTenant, scopes };
    return { token: await signToken(options.secret, claims, tokenLifetimeSeconds) };
  });

  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*']; // decoded by the router
    const asset =
      (await pages.find(path === '' || path.endsWith('/') ? `${path}index.html` : path)) ??
      (await pages.find(`${path}.html`));
    void reply.removeHeader('content-security-policy');
    // what the demo agent shows is seen on host pages of another site, too
    if (path.endsWith('.svg')) void reply.header('cross-origin-resource-policy', 'cross-origin');
    const lasting = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return sendAsset(request, reply, asset, lasting);
  });
}

/**
 * A page on another loopback name (127.0.0.1 beside localhost) is another site to the browser, which keeps no cookie
 * for it: there the page's origin and the browser's name tell the visitor. Anybody else is new.
 */
function visitorWithoutCookie({ headers }: FastifyRequest, secret: string): string {
  const { origin = '', host = '' } = headers;
  if (!isLoopback(origin) || new URL(origin).hostname === new URL(`http://${host}`).hostname)
    return randomUUID();
  const hash = createHash('sha256')
    .update(`${secret} ${origin} ${headers['user-agent'] ?? ''}`)
    .digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}
