import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Assets } from '../assets/assets.ts';
import { tokenScopes } from '../auth/caller.ts';
import { signToken } from '../auth/sign-token.ts';
import type { ClaimNames } from '../auth/verify-token.ts';
import { sendAsset } from './assets.ts';

/** The tenant of the playground's visitors. */
const playgroundTenant = 'playground';
const cookieName = 'agent_chat_demo';
/** Short, so that an open page shows how tokens are renewed. */
const tokenLifetimeSeconds = 600;

/**
 * Serves the playground's pages and `/demo/token`, which issues short-lived visitor tokens like the endpoint
 * of a real site. Pages on any loopback origin may use it, so pasted snippets work. A cookie keeps the visitor
 * of a browser.
 */
export function playgroundRoutes(
  app: FastifyInstance,
  options: { readonly directory: string; readonly secret: string; readonly claims: ClaimNames },
): void {
  const pages = new Assets(options.directory);

  app.get('/demo/token', async (request, reply) => {
    const visitorFromCookie = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f-]{36})(?:;|$)`).exec(
      request.headers.cookie ?? '',
    )?.[1];
    const visitor = visitorFromCookie ?? visitorWithoutCookie(request, options.secret);
    const { origin } = request.headers;
    void reply.header('vary', 'Origin');
    if (origin !== undefined && isLoopback(origin)) {
      void reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      });
    }
    // for every path: the proxy of a development server offers this endpoint at another one, such as `/chat-token`
    void reply.header(
      'set-cookie',
      `${cookieName}=${visitor}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`,
    );
    const claims = { subject: `visitor-${visitor}`, tenantId: playgroundTenant, scopes: tokenScopes };
    return { token: await signToken(options.secret, claims, tokenLifetimeSeconds, options.claims) };
  });

  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*']; // decoded by the router
    const asset =
      (await pages.find(path === '' || path.endsWith('/') ? `${path}index.html` : path)) ??
      (await pages.find(`${path}.html`));
    if (!asset && (await pages.find(`${path}/index.html`))) return reply.redirect(`/${path}/`, 302);
    void reply.removeHeader('content-security-policy'); // each page has its own in its HTML, or none
    // pages on other sites also load the logos of the looks
    if (path.endsWith('.svg')) void reply.header('cross-origin-resource-policy', 'cross-origin');
    const cacheControl = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return sendAsset(request, reply, { asset, cacheControl });
  });
}

/**
 * Browsers treat another loopback name (127.0.0.1 instead of localhost) as another site and send no cookie from it.
 * For such pages the visitor's id is derived from origin and user agent; every other request without a cookie gets a
 * new one.
 */
function visitorWithoutCookie({ headers }: FastifyRequest, secret: string): string {
  const { origin = '', host = '' } = headers;
  if (!isLoopback(origin) || new URL(origin).hostname === new URL(`http://${host}`).hostname)
    return randomUUID();
  const hash = createHash('sha256')
    .update(`${secret} ${origin} ${headers['user-agent'] ?? ''}`)
    .digest('hex');
  // in the form of a UUID, as visitors with a cookie have
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}
