import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { detectHap } from './detect-hap.ts';
import { detectPii } from './detect-pii.ts';
import type { DetectionReply, DetectionRequest } from './detect-in-worker.ts';

const detectors = { pii: detectPii, hap: detectHap };
const never = new AbortController().signal;

// Requests go first where processors are few. On Linux, this is the priority of the thread; elsewhere of the process.
if (process.platform === 'linux') setPriority(10);

/** A worker thread that searches texts, one after another. */
parentPort?.on('message', ({ id, name, text }: DetectionRequest) => {
  const reply = (message: DetectionReply): void => parentPort?.postMessage(message);
  detectors[name](text, never).then(
    (found) => reply({ id, found }),
    (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
