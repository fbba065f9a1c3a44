import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentClient, type AgentClient } from '../../src/client/index.ts';
import type { RunEvent, RunRequest } from '../../src/protocol/index.ts';
import { scriptedAgent } from '../../demo/agents/scripted/scripted-agent.ts';
import { createKey } from '../../src/service/auth/api-keys.ts';
import { keyScopes } from '../../src/service/auth/caller.ts';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { createService, readSettings, type Service, type ServiceSettings } from '../../src/service/index.ts';

/** The secret every service of the tests signs with. */
export const secret = 'a secret for tests only, of forty letters';

/** A service on a free port with a directory of its own, gone after `close`. */
export interface RunningService {
  readonly service: Service;
  readonly address: string;
  readonly dataDir: string;
  readonly settings: ServiceSettings;
  /** A key of a server with every scope for the tenant `quay`. */
  readonly serverKey: string;
  /** A token of a visitor. */
  token(subject?: string, options?: TokenOptions): Promise<string>;
  /** A client of a visitor. */
  client(subject?: string, options?: TokenOptions): AgentClient;
  /** A request with a visitor's token unless `headers` say otherwise. */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface TokenOptions {
  readonly tenantId?: string;
  readonly scopes?: readonly string[];
  readonly lifetime?: number;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

export const everyScope = ['run', 'callback', 'notify', 'config'] as const;

/** Starts a service; `changes` are laid over the settings for tests. */
export async function startService(changes: Partial<ServiceSettings> = {}): Promise<RunningService> {
  const ownDir = changes.dataDir === undefined;
  const dataDir = changes.dataDir ?? mkdtempSync(join(tmpdir(), 'agent-chat-'));
  const { key: serverKey, entry } = createKey({ id: 'backend', tenantId: 'quay', scopes: keyScopes });
  const keysDir = mkdtempSync(join(tmpdir(), 'agent-chat-keys-'));
  const apiKeysFile = join(keysDir, 'keys.json');
  writeFileSync(apiKeysFile, JSON.stringify({ keys: [entry] }));
  const settings: ServiceSettings = {
    ...readSettings({
      JWT_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: '0',
      RUN_LIMIT: '0',
      DRAIN_TIMEOUT: '0',
      DATABASE_WAIT: '0',
    }),
    dataDir,
    apiKeysFile,
    ...changes,
  };
  const removeFolders = (): void => {
    rmSync(keysDir, { recursive: true, force: true });
    if (ownDir) rmSync(dataDir, { recursive: true, force: true });
  };
  const start = async (): Promise<{ service: Service; address: string }> => {
    const service = await createService(settings, { scriptedAgent });
    return { service, address: await service.listen() };
  };
  const { service, address } = await start().catch((fault: unknown) => {
    removeFolders();
    throw fault;
  });
  const token = (subject = 'ada', options: TokenOptions = {}): Promise<string> =>
    signToken(
      secret,
      { subject, tenantId: options.tenantId ?? 'quay', scopes: options.scopes ?? everyScope },
      options.lifetime ?? 600,
    );
  return {
    service,
    address,
    dataDir,
    settings,
    serverKey,
    token,
    client: (subject, options) =>
      createAgentClient({ baseUrl: address, tokenProvider: () => token(subject, options) }),
    async request(method, path, options = {}) {
      const bearer = options.token === undefined ? await token() : options.token;
      return fetch(address + path, {
        method,
        headers: {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body === undefined
          ? {}
          : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
        ...(options.signal ? { signal: options.signal } : {}),
      });
    },
    async close() {
      await service.close();
      removeFolders();
    },
  };
}

/** Words of a visitor as a run request. */
export function say(text: string, more: Partial<RunRequest> = {}): RunRequest {
  return {
    ...more,
    message: { role: 'user', content: [{ response_type: 'text', text }], ...more.message },
  };
}

/** The fastest pace of the demonstration agents. */
export const atOnce = { additional_parameters: { delay_ms: 0 } } as const;

/** Reads a stream to its end. */
export async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The text that deltas spell. */
export function spelled(events: readonly RunEvent[]): string {
  return events
    .filter((event) => event.event === 'message.delta')
    .map((event) => (event.data['delta'] as { content: { text?: string }[] }).content[0]?.text ?? '') // as our service writes it
    .join('');
}

/** Waits until something is so; for things that another connection brings about. */
export async function until(isSo: () => boolean | Promise<boolean>, limit = 10_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
