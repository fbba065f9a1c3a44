import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The libraries of the service and their supported versions: dependencies of `agent-chat-service`, not of the
 * widget. A test keeps the versions in step with package.json.
 */
export const serverPackages: Readonly<Record<string, string>> = {
  fastify: '5',
  libsql: '0.5',
  jose: '6',
  'prom-client': '15',
  '@cfworker/json-schema': '4.1',
  'libphonenumber-js': '1',
  obscenity: '0.4',
  openai: '6',
  '@anthropic-ai/sdk': '1',
  '@ag-ui/client': '1',
  '@modelcontextprotocol/client': '2',
  pg: '8',
  ioredis: '6',
  '@opentelemetry/api': '1',
};

/** Not installed with the service: needed only for agents of some kinds, for tools, PostgreSQL, Redis and traces. */
export const onDemand: readonly string[] = [
  'openai',
  '@anthropic-ai/sdk',
  '@ag-ui/client',
  '@modelcontextprotocol/client',
  'pg',
  'ioredis',
  '@opentelemetry/api',
];

/** Returns the command that installs a missing package: alone if it is optional, else with the whole service. */
export function installLine(missing?: string): string {
  const isOptional = missing !== undefined && onDemand.includes(missing);
  return `npm install ${isOptional ? versioned(missing) : 'agent-chat-service'}`;
}

/** Formats a package for an install command: `fastify@5`. */
export function versioned(name: string): string {
  const line = serverPackages[name];
  return line === undefined ? name : `${name}@${line}`;
}

/** Returns the package whose absence caused an error; `undefined` for other errors. */
export function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /Cannot find package '([^']+)'/.exec(error.message)?.[1];
}

/** An installed library in a version that the service does not support. */
export interface UnfitPackage {
  readonly name: string;
  readonly found: string;
}

/**
 * Returns the required libraries that are installed in an unsupported version.
 * @param used optional libraries that are required, too
 * @param from a file of the service; its folder and the folders above are searched, as Node does
 */
export function unfitPackages(used: readonly string[] = [], from: string = import.meta.url): UnfitPackage[] {
  return Object.entries(serverPackages).flatMap(([name, line]) => {
    if (onDemand.includes(name) && !used.includes(name)) return [];
    const found = installedVersion(name, dirname(fileURLToPath(from)));
    return found === undefined || `${found}.`.startsWith(`${line}.`) ? [] : [{ name, found }];
  });
}

function installedVersion(name: string, folder: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(file)) {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { version } = Object(manifest) as { version?: unknown }; // any object
    return typeof version === 'string' ? version : undefined;
  }
  const above = dirname(folder);
  return above === folder ? undefined : installedVersion(name, above);
}
