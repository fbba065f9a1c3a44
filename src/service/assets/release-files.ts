import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addRelease, listReleases, readReleaseFile, type ReleaseFile } from '../storage/script-releases.ts';
import type { Store } from '../storage/store.ts';
import { createAsset, type Asset } from './assets.ts';

/** For paths that no release has, the database is read once in this time, in ms. */
const refreshMs = 1000;

/**
 * The files of this and former releases of the script. They are in the database, so that every instance has them during
 * an update, and after it without the disk of the one before.
 */
export class ReleaseFiles {
  readonly #store: Store;
  /** By path, of the newest release that has it. */
  #byPath = new Map<string, ReleaseFile>();
  #byHash = new Map<string, ReleaseFile>();
  #refreshing: Promise<void> | undefined;
  #refreshedAt = 0;
  readonly #assets = new Map<string, Promise<Asset | undefined>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Adds the release of a directory.
   * @returns whether it was added
   * @throws when a file cannot be read, or the database cannot be written
   */
  async add(directory: string, version: string): Promise<boolean> {
    const names = (await readdir(join(directory, 'chunks'))).filter((name) => name.endsWith('.js'));
    const contents = new Map<ReleaseFile, Buffer>();
    for (const file of ['agent-chat.js', ...names.sort().map((name) => `chunks/${name}`)]) {
      const content = await readFile(join(directory, file));
      const path = file === 'agent-chat.js' ? `${version}/${file}` : file;
      contents.set([path, createHash('sha256').update(content).digest('base64')], content);
    }
    const files = [...contents.keys()];
    const id = createHash('sha256').update(JSON.stringify(files)).digest('base64url');
    const [current] = await listReleases(this.#store.database);
    const isNew = current?.id !== id || current.replacedAt !== undefined;
    if (isNew) await addRelease(this.#store, { id, files }, (file) => contents.get(file) ?? Buffer.of());
    await this.#refresh();
    return isNew;
  }

  /** Finds a file of the newest release that has it: a chunk, or `<version>/agent-chat.js`. */
  async find(path: string): Promise<Asset | undefined> {
    if (!this.#byPath.has(path)) await this.#refresh(); // an instance with a newer release may have added it
    const file = this.#byPath.get(path);
    return file && this.#read(file);
  }

  /** Finds a file and its path. @param hash SHA-256 of its content, base64 */
  async findByHash(hash: string): Promise<{ readonly path: string; readonly asset: Asset } | undefined> {
    const file = this.#byHash.get(hash);
    const asset = file && (await this.#read(file));
    return asset && { path: file[0], asset };
  }

  async #read(file: ReleaseFile): Promise<Asset | undefined> {
    const [path, hash] = file;
    const known = this.#assets.get(hash);
    if (known) return known;
    const reading = readReleaseFile(this.#store.database, file).then(
      (body) => body && createAsset(path, body),
    );
    this.#assets.set(hash, reading);
    const forget = (): unknown => this.#assets.delete(hash);
    void reading.then((asset) => asset ?? forget(), forget); // it may be there later
    return reading;
  }

  async #refresh(): Promise<void> {
    if (Date.now() - this.#refreshedAt < refreshMs) return;
    this.#refreshing ??= listReleases(this.#store.database)
      .then((releases) => {
        const files = releases.flatMap((release) => release.files).reverse(); // newer ones replace older ones
        this.#byPath = new Map(files.map((file) => [file[0], file]));
        this.#byHash = new Map(files.map((file) => [file[1], file]));
        for (const hash of this.#assets.keys()) if (!this.#byHash.has(hash)) this.#assets.delete(hash);
        this.#refreshedAt = Date.now();
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }
}
