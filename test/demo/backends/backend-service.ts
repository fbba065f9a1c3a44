import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent, RunRequest } from '../../../src/protocol/index.ts';
import { collect, startService } from '../../service/running-service.ts';
import { signingSecret, startBackend, type Runtime } from './backend-process.ts';

/** A service with one agent, which is a sample back end. */
export interface BackendService {
  /** Address of the back end itself. */
  readonly backendUrl: string;
  /** Runs a request. Returns all events of the run. */
  ask(request: RunRequest): Promise<RunEvent[]>;
  close(): Promise<void>;
}

/** Starts a sample of `demo/backends`, and a service whose agent it is. */
export async function startBackendService(
  runtime: Runtime,
  args: readonly string[],
): Promise<BackendService> {
  const backend = await startBackend(runtime, args);
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-backend-'));
  process.env['TEST_SIGNING_SECRET'] = signingSecret;
  const agent = { id: 'sample', kind: 'http', url: backend.url, signing_secret_env: 'TEST_SIGNING_SECRET' };
  const agentsFile = join(directory, 'agents.json');
  writeFileSync(agentsFile, JSON.stringify({ agents: [agent] }));
  const running = await startService({ agentsFile });
  return {
    backendUrl: backend.url,
    ask: (request) => collect(running.client().runStream(request)),
    async close() {
      await running.close();
      backend.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
