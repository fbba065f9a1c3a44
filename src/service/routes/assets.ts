import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { Assets, type Asset } from '../assets/assets.ts';
import {
  chunkName,
  CompressionDictionaries,
  type DictionaryCompressor,
} from '../assets/compression-dictionaries.ts';
import type { ReleaseFiles } from '../assets/release-files.ts';
import { notFound } from '../errors/problem.ts';
import { version } from '../version.ts';

const foreverInCache = 'public, max-age=31536000, immutable';
const fiveMinutes = 'public, max-age=300, must-revalidate';
// After five minutes, a browser uses the script that it has once more, and meanwhile requests the new one. Its chunks
// are retained for longer than this week.
const staleForAWeek = 'public, max-age=300, stale-while-revalidate=604800';

/**
 * Serves the script and its chunks to any page: at a stable URL, and at a versioned URL that never changes
 * and can be pinned with an integrity hash.
 */
export function assetRoutes(
  app: FastifyInstance,
  options: {
    /** Holds this release of the script. */
    directory: string;
    /** This and former releases, for pages that were opened before an update. */
    releases: Pick<ReleaseFiles, 'find' | 'findByHash'>;
    /** Absent where Node cannot compress with a dictionary: files are then sent whole. */
    compressWithDictionary: DictionaryCompressor | undefined;
  },
): void {
  const current = new Assets(options.directory);
  const { releases, compressWithDictionary } = options;
  const dictionaries =
    compressWithDictionary && new CompressionDictionaries(compressWithDictionary, releases);

  /** Sends a file that the browser keeps as a dictionary for the addresses that `match`. */
  const sendWithDictionary = async (
    request: FastifyRequest,
    reply: FastifyReply,
    options: { path: string; asset: Asset | undefined; match: string | undefined; cacheControl: string },
  ): Promise<FastifyReply> => {
    const { path, asset, match, cacheControl } = options;
    if (!asset || !dictionaries || match === undefined)
      return sendAsset(request, reply, { asset, cacheControl });
    void reply.header('use-as-dictionary', `match="${match}"`);
    return sendAsset(request, reply, {
      asset,
      cacheControl,
      encodeWithDictionary: () => dictionaries.encode(path, asset, request.headers),
    });
  };

  app.get('/agent-chat.js', async (request, reply) =>
    sendWithDictionary(request, forAnyPage(reply), {
      path: 'agent-chat.js',
      asset: await current.find('agent-chat.js'),
      match: sameFile('agent-chat.js'),
      cacheControl: staleForAWeek,
    }),
  );
  app.get<{ Params: { '*': string } }>('/chunks/*', async (request, reply) => {
    const path = `chunks/${request.params['*']}`;
    const asset = (await current.find(path)) ?? (await releases.find(path));
    return sendWithDictionary(request, forAnyPage(reply), {
      path,
      asset,
      match: sameFile(path),
      cacheControl: foreverInCache,
    });
  });
  app.get<{ Params: { version: string; '*': string } }>('/agent-chat/:version/*', async (request, reply) => {
    const path = request.params['*'];
    if (path !== 'agent-chat.js' && !path.startsWith('chunks/')) throw notFound('route', ['path']);
    const ofCurrent = request.params.version === version ? await current.find(path) : undefined;
    const asset =
      ofCurrent ??
      (await releases.find(path.startsWith('chunks/') ? path : `${request.params.version}/${path}`));
    const match = sameFile(path);
    return sendWithDictionary(request, forAnyPage(reply), {
      path,
      asset,
      match: match && `/*/${match}`,
      cacheControl: foreverInCache,
    });
  });
  app.get('/agent-chat.json', async (_request, reply) => {
    const script = await current.find('agent-chat.js');
    if (!script) throw notFound('route', ['path']);
    void forAnyPage(reply).header('cache-control', fiveMinutes);
    return { version, path: `/agent-chat/${version}/agent-chat.js`, integrity: script.integrity };
  });
}

/**
 * Serves the picture in the demo agent's answers, which the widget shows because it is of the service's own origin.
 * Without an agent of the kind `scripted`, the picture does not exist.
 */
export function demoPictureRoute(
  app: FastifyInstance,
  options: { readonly directory: string; readonly agents: AgentRegistry },
): void {
  const demo = new Assets(options.directory);
  app.get('/quay.svg', async (request, reply) => {
    if (!options.agents.all.some(({ kind }) => kind === 'scripted')) throw notFound('route', ['path']);
    const asset = await demo.find('quay.svg');
    return sendAsset(request, forAnyPage(reply), { asset, cacheControl: fiveMinutes });
  });
}

/**
 * Sends a file, compressed if the client accepts that, or 304 if it is unchanged.
 * @throws Problem 404 without a file
 */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    readonly asset: Asset | undefined;
    readonly cacheControl: string;
    /** Compresses the file with a dictionary that the browser has; `undefined` if it has none. */
    readonly encodeWithDictionary?: () => Promise<Buffer | undefined>;
  },
): Promise<FastifyReply> {
  const { asset, cacheControl, encodeWithDictionary } = options;
  if (!asset) throw notFound('route', ['path']);
  const vary = encodeWithDictionary ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding';
  void reply.headers({ 'cache-control': cacheControl, vary });
  if (matchesETag(request.headers['if-none-match'], asset.etag))
    return reply.header('etag', asset.etag).code(304).send();
  void reply.type(asset.type);
  const encoded = await encodeWithDictionary?.();
  // without an ETag: a cache must not take this content for another encoding's
  if (encoded) return reply.header('content-encoding', 'dcz').send(encoded);
  const { body, encoding } = await asset.encoded(request.headers['accept-encoding']);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.header('etag', asset.etag).send(body);
}

/** A pattern for a file's name in all releases, relative to its folder; undefined for a chunk without a hash. */
function sameFile(path: string): string | undefined {
  if (path === 'agent-chat.js') return path;
  const name = chunkName(path);
  return name && `${name}-*.js`;
}

function forAnyPage(reply: FastifyReply): FastifyReply {
  return reply
    .removeHeader('content-security-policy')
    .headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
}

/** Whether `If-None-Match` contains the ETag, weak or strong, or `*`. */
function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
