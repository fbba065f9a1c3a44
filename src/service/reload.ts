import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { RegisteredAgent } from './agents/agent.ts';
import type { AgentRegistry } from './agents/agent-registry.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { RunEngine } from './runs/run-engine.ts';
import { SettingsError, type ServiceSettings } from './settings.ts';

/** What a reload replaces, and what it needs. */
export interface ReloadParts {
  readonly settings: Pick<ServiceSettings, 'agentsFile' | 'apiKeysFile'>;
  readonly agents: AgentRegistry;
  /** @param uses receives the path of each module and recording */
  readonly loadAgents: (uses: (file: string) => void) => Promise<readonly RegisteredAgent[]>;
  readonly loadKeys: () => number;
  readonly engine: () => RunEngine;
  readonly audit: AuditLog;
  readonly log: FastifyBaseLogger;
  /** Counts a reload for the metrics. */
  readonly count: (file: 'agents' | 'keys', outcome: 'loaded' | 'refused') => void;
}

/** Loads the files with agents and keys, at the start and again while the service runs. */
export class Reload {
  /** The files that have been read, also those of an agents file that was refused. */
  readonly files: Set<string>;
  readonly #parts: ReloadParts;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ReloadParts) {
    this.#parts = parts;
    const { agentsFile, apiKeysFile } = parts.settings;
    this.files = new Set([agentsFile, apiKeysFile].filter((file) => file !== undefined));
  }

  /** Loads both files for the first time. @throws SettingsError with every error of the first wrong file */
  async start(): Promise<void> {
    await this.#loadAgents();
    this.#loadKeys();
  }

  /** Loads both files again. A wrong file changes nothing; its errors are logged. */
  again(): Promise<void> {
    const { audit } = this.#parts;
    audit.reopen();
    this.#work = this.#work
      .then(() => this.#attempt('agents', () => this.#loadAgents()))
      .then(() => this.#attempt('keys', () => this.#loadKeys()));
    return this.#work;
  }

  async #attempt(file: 'agents' | 'keys', load: () => Promise<void> | void): Promise<void> {
    const { settings, audit, log, count } = this.#parts;
    if ((file === 'agents' ? settings.agentsFile : settings.apiKeysFile) === undefined) return;
    try {
      await load();
      count(file, 'loaded');
      log.info(`the ${file} were loaded again`);
    } catch (error) {
      count(file, 'refused');
      const lines = error instanceof SettingsError ? error.errors : [String(error)];
      for (const line of lines) log.error(`${line}; the former ${file} stay in force`);
      audit.record({ action: `${file}.refused`, errors: lines.length });
    }
  }

  async #loadAgents(): Promise<void> {
    const { settings, agents, loadAgents, engine, audit, log } = this.#parts;
    const sum = sumOf(settings.agentsFile);
    const former = agents.replace(await loadAgents((file) => this.files.add(file)));
    if (sum !== undefined)
      audit.record({ action: 'agents.loaded', sha256: sum, agents: agents.all.map(({ id }) => id) });
    // those that need no file are the same objects again
    const gone = former.filter(({ agent }) => !agents.all.some((one) => one.agent === agent));
    if (gone.length === 0) return;
    engine()
      .agentsFinished(gone)
      .then(() => Promise.all(gone.map(({ agent }) => agent.close?.())))
      .catch((error: unknown) => log.error({ err: error }, 'a former agent could not be closed'));
  }

  #loadKeys(): void {
    const { settings, loadKeys, audit } = this.#parts;
    const sum = sumOf(settings.apiKeysFile);
    const keys = loadKeys();
    if (sum !== undefined) audit.record({ action: 'keys.loaded', sha256: sum, keys });
  }
}

/** SHA-256 of a file; `undefined` without one, or when it cannot be read: who loads it reports that. */
function sumOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
