import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Detector, Finding } from './detector.ts';

/** The detectors that run in worker threads. */
export type LocalDetector = 'pii' | 'hap';

export interface DetectionRequest {
  readonly id: number;
  readonly name: LocalDetector;
  readonly text: string;
}

export interface DetectionReply {
  readonly id: number;
  readonly found?: readonly Finding[];
  readonly error?: string;
}

interface Pending {
  readonly worker: Worker;
  resolve(found: readonly Finding[]): void;
  reject(error: unknown): void;
}

/** One processor stays free for the requests. */
const maxWorkers = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Runs detectors in worker threads, so that a long text delays nobody's requests. Starts them on first use. */
class DetectionPool {
  readonly #file: string;
  readonly #workers: Worker[] = [];
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(file: string) {
    this.#file = file;
  }

  detect(name: LocalDetector, text: string, signal: AbortSignal): Promise<readonly Finding[]> {
    signal.throwIfAborted();
    const worker = this.#leastBusy();
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#pending.delete(id);
        signal.removeEventListener('abort', abort);
        if (!this.#isBusy(worker)) worker.unref();
      };
      const abort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort);
      this.#pending.set(id, {
        worker,
        resolve: (found) => (leave(), resolve(found)),
        reject: (error) => (leave(), reject(error as Error)),
      });
      worker.ref();
      worker.postMessage({ id, name, text } satisfies DetectionRequest);
    });
  }

  #isBusy(worker: Worker): boolean {
    return [...this.#pending.values()].some((one) => one.worker === worker);
  }

  #leastBusy(): Worker {
    const load = new Map(this.#workers.map((worker) => [worker, 0]));
    for (const { worker } of this.#pending.values()) load.set(worker, (load.get(worker) ?? 0) + 1);
    const [best] = [...load].sort((one, other) => one[1] - other[1]);
    return best && (best[1] === 0 || load.size >= maxWorkers) ? best[0] : this.#start();
  }

  #start(): Worker {
    const worker = new Worker(this.#file);
    worker.on('message', ({ id, found, error }: DetectionReply) => {
      if (found) this.#pending.get(id)?.resolve(found);
      else this.#pending.get(id)?.reject(new Error(error));
    });
    const lost = (error: unknown): void => {
      const index = this.#workers.indexOf(worker);
      if (index >= 0) this.#workers.splice(index, 1);
      for (const one of [...this.#pending.values()]) if (one.worker === worker) one.reject(error);
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('the detection thread ended')));
    worker.unref();
    this.#workers.push(worker);
    return worker;
  }
}

/** The built thread: beside the service's entry, or one directory above its parts. */
function findThread(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  return [here, dirname(here)]
    .map((path) => join(path, 'detection-worker.js'))
    .find((file) => existsSync(file));
}

let pool: DetectionPool | undefined;

/**
 * Returns a detector that runs in a worker thread. From sources, where there is no built thread, it is loaded
 * into this one.
 */
export function detectInWorker(name: LocalDetector, load: () => Promise<Detector>): Detector {
  return async (text, signal) => {
    const thread = pool ? undefined : findThread();
    if (thread !== undefined) pool = new DetectionPool(thread);
    return pool ? pool.detect(name, text, signal) : (await load())(text, signal);
  };
}
