import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { SettingsError } from '../settings.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.gif': 'image/gif',
};
const compressible = /^(text|application\/(json|x-ndjson)|image\/svg)/;
const minCompressedBytes = 512;

/** A file with its compressed forms, each made on first use. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  /** SHA-256, base64. */
  readonly hash: string;
  /** For `integrity` attributes. */
  readonly integrity: string;
  /** Returns the body in an encoding that the client accepts. */
  readonly encoded: (accept: string | undefined) => Promise<{ body: Buffer; encoding: string | undefined }>;
}

/** Reads files below one directory and caches them until they change. */
export class Assets {
  readonly directory: string;
  readonly #kept = new Map<string, { changed: number; size: number; asset: Asset }>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Finds a file by its path below the directory. Never leaves the directory. */
  async find(path: string): Promise<Asset | undefined> {
    const parts = path.split(/[\\/]/).filter((part) => part !== '');
    // Reject `..`, hidden files and encoded variants: `chunks/..%2f` would leave the folder.
    if (parts.some((part) => part.startsWith('.') || part.includes('\0'))) return undefined;
    const inside = parts.join(sep);
    const file = join(this.directory, inside);
    const stats = await stat(file).catch(() => undefined);
    if (!stats?.isFile()) return undefined;
    const kept = this.#kept.get(file);
    if (kept?.changed === stats.mtimeMs && kept.size === stats.size) return kept.asset;
    const asset = createAsset(file, await readFile(file));
    this.#kept.set(file, { changed: stats.mtimeMs, size: stats.size, asset });
    return asset;
  }
}

/**
 * Returns the directory of the built script: the given one, or the nearest one above this module.
 * @throws SettingsError when the given directory does not contain the script
 */
export function findAssetsDirectory(directory: string | undefined): string {
  if (directory !== undefined) {
    if (existsSync(join(directory, 'agent-chat.js'))) return directory;
    throw new SettingsError([
      `ASSETS_DIR ${directory}: contains no agent-chat.js; set it to the directory of the built script, or remove it`,
    ]);
  }
  const candidates = ['../', './', '../../', '../../../dist/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((directory) => existsSync(join(directory, 'agent-chat.js'))) ?? candidates[0] ?? '.';
}

/** @param path tells the type */
export function createAsset(path: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body);
  const type = types[extname(path)] ?? 'application/octet-stream';
  const compressed = new Map<string, Promise<Buffer>>();
  const compress = (encoding: 'br' | 'gzip'): Promise<Buffer> => {
    const encoded =
      compressed.get(encoding) ?? (encoding === 'br' ? brotli(body) : promisify(gzip)(body, { level: 9 }));
    compressed.set(encoding, encoded);
    return encoded;
  };
  return {
    type,
    body,
    etag: `"${hash.copy().digest('base64url').slice(0, 22)}"`,
    hash: hash.digest('base64'),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
    async encoded(accept) {
      const encoding = (['br', 'gzip'] as const).find((name) => accepts(accept ?? '', name));
      if (!encoding || body.length < minCompressedBytes || !compressible.test(type))
        return { body, encoding: undefined };
      return { body: await compress(encoding), encoding };
    },
  };
}

/** Whether an `Accept-Encoding` header allows an encoding (weight above zero). */
export function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter));
  });
}

function brotli(body: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}
