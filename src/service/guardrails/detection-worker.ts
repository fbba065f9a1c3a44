import { parentPort } from 'node:worker_threads';
import { detectHap } from './detect-hap.ts';
import { detectPii } from './detect-pii.ts';
import type { DetectionReply, DetectionRequest } from './detect-in-worker.ts';

const detectors = { pii: detectPii, hap: detectHap };
const never = new AbortController().signal;

/** A worker thread that searches texts, one after another. */
parentPort?.on('message', ({ id, name, text }: DetectionRequest) => {
  const reply = (given: DetectionReply): void => parentPort?.postMessage(given);
  detectors[name](text, never).then(
    (found) => reply({ id, found }),
    (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
