import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Assets, type Asset } from '../assets/assets.ts';
import { notFound } from '../errors/problem.ts';
import { version } from '../version.ts';

const foreverInCache = 'public, max-age=31536000, immutable';
const fiveMinutes = 'public, max-age=300, must-revalidate';

/**
 * Serves the script and its chunks to any page: at a stable URL, and at a versioned URL that never changes
 * and can be pinned with an integrity hash.
 */
export function assetRoutes(
  app: FastifyInstance,
  options: {
    /** Holds this release of the script. */
    directory: string;
    /** Holds earlier releases, for pages that were opened before an update. */
    kept: string | undefined;
  },
): void {
  const current = new Assets(options.directory);
  const former = options.kept === undefined ? undefined : new Assets(options.kept);

  app.get('/agent-chat.js', async (request, reply) =>
    sendAsset(request, forAnyPage(reply), await current.find('agent-chat.js'), fiveMinutes),
  );
  app.get<{ Params: { '*': string } }>('/chunks/*', async (request, reply) => {
    const path = `chunks/${request.params['*']}`;
    return sendAsset(
      request,
      forAnyPage(reply),
      (await current.find(path)) ?? (await former?.find(path)),
      foreverInCache,
    );
  });
  app.get<{ Params: { version: string; '*': string } }>('/agent-chat/:version/*', async (request, reply) => {
    const path = request.params['*'];
    if (path !== 'agent-chat.js' && !path.startsWith('chunks/')) throw notFound('route', ['path']);
    const own = request.params.version === version ? await current.find(path) : undefined;
    const asset =
      own ?? (await former?.find(path.startsWith('chunks/') ? path : `${request.params.version}/${path}`));
    return sendAsset(request, forAnyPage(reply), asset, foreverInCache);
  });
  app.get('/agent-chat.json', async (_request, reply) => {
    const script = await current.find('agent-chat.js');
    if (!script) throw notFound('route', ['path']);
    void forAnyPage(reply).header('cache-control', fiveMinutes);
    return { version, path: `/agent-chat/${version}/agent-chat.js`, integrity: script.integrity };
  });
}

/** Sends a file, compressed if the client accepts that, or 304 if it is unchanged. */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset | undefined,
  cacheControl: string,
): Promise<FastifyReply> {
  if (!asset) throw notFound('route', ['path']);
  void reply.headers({ 'cache-control': cacheControl, etag: asset.etag, vary: 'Accept-Encoding' });
  if (matchesETag(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
  const { body, encoding } = await asset.encoded(request.headers['accept-encoding']);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.type(asset.type).send(body);
}

function forAnyPage(reply: FastifyReply): FastifyReply {
  return reply
    .removeHeader('content-security-policy')
    .headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
}

/** Whether `If-None-Match` contains the tag, weak or strong, or `*`. */
function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
