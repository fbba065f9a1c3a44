import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import { accepts, type Asset } from './assets.ts';
import type { ReleaseFiles } from './release-files.ts';

/** Compresses a body into a Zstandard frame that refers to a dictionary of raw bytes. */
export type DictionaryCompressor = (body: Buffer, dictionary: Buffer) => Promise<Buffer>;

/** A skippable Zstandard frame of 32 bytes; the hash of the dictionary follows. */
const dczMagic = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00]);
const maxCompressed = 500;

/**
 * Sends the script or a chunk as the difference to the same file of another release that the browser has: Compression
 * Dictionary Transport, RFC 9842.
 */
export class CompressionDictionaries {
  readonly #compress: DictionaryCompressor;
  readonly #releases: Pick<ReleaseFiles, 'findByHash'>;
  readonly #compressed = new Map<string, Promise<Buffer>>();

  constructor(compress: DictionaryCompressor, releases: Pick<ReleaseFiles, 'findByHash'>) {
    this.#compress = compress;
    this.#releases = releases;
  }

  /**
   * Returns the content for `Content-Encoding: dcz`. `undefined` if the browser has no dictionary, or one that is not
   * among the retained files of that name.
   */
  async encode(path: string, asset: Asset, headers: IncomingHttpHeaders): Promise<Buffer | undefined> {
    if (!accepts(headers['accept-encoding'] ?? '', 'dcz')) return undefined;
    const hash = /^:([A-Za-z0-9+/]{43}=):$/.exec(String(headers['available-dictionary']))?.[1];
    if (hash === undefined) return undefined;
    // without the database, or on another failure, the file is sent whole
    return this.#releases
      .findByHash(hash)
      .then((found) =>
        found && nameOf(found.path) === nameOf(path) ? this.#encodeOnce(asset, found.asset) : undefined,
      )
      .catch(() => undefined);
  }

  #encodeOnce(asset: Asset, dictionary: Asset): Promise<Buffer> {
    const key = `${dictionary.hash} ${asset.hash}`;
    const kept = this.#compressed.get(key);
    if (kept) return kept;
    const compressed = this.#compress(asset.body, dictionary.body).then((frame) =>
      Buffer.concat([dczMagic, Buffer.from(dictionary.hash, 'base64'), frame]),
    );
    this.#compressed.set(key, compressed);
    const [oldest = key] = this.#compressed.keys();
    if (this.#compressed.size > maxCompressed) this.#compressed.delete(oldest);
    return compressed;
  }
}

/** The name of a file, the same in all releases. */
function nameOf(path: string): string {
  return chunkName(path) ?? basename(path);
}

/** The name of a chunk without its hash, the same in all releases: `runtime` for `chunks/runtime-BVi9h-x_.js`. */
export function chunkName(path: string): string | undefined {
  return /^chunks\/([\w.-]+)-[\w-]{8}\.js$/.exec(path)?.[1];
}

/** Returns a compressor if this version of Node has one: 22.19, 24.6 and newer. */
export async function findDictionaryCompressor(): Promise<DictionaryCompressor | undefined> {
  // not in the types of Node 20
  const { zstdCompress, constants } = zlib as unknown as Partial<ZstdOfNode>;
  if (!zstdCompress || !constants) return undefined;
  const compressAsync = promisify(zstdCompress);
  const compress: DictionaryCompressor = (body, dictionary) =>
    compressAsync(body, {
      dictionary,
      pledgedSrcSize: body.length,
      params: { [constants.ZSTD_c_compressionLevel]: 19 }, // browsers refuse the larger windows of the levels above
    });
  // older versions have Zstandard and ignore the dictionary
  const probe = randomBytes(256);
  return (await compress(probe, probe)).length < probe.length ? compress : undefined;
}

interface ZstdOfNode {
  zstdCompress(
    body: Buffer,
    options: { dictionary: Buffer; pledgedSrcSize: number; params: Record<number, number> },
    callback: (error: Error | null, result: Buffer) => void,
  ): void;
  constants: { ZSTD_c_compressionLevel: number };
}
