import { AsyncLocalStorage } from 'node:async_hooks';
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** In whose name code runs that an operator brought. */
export interface ModuleScope {
  /** Path of the module. */
  readonly module: string;
  /** Absent while the module is loaded. */
  readonly runId?: string;
}

const scopes = new AsyncLocalStorage<ModuleScope | undefined>();
/** The modules that were loaded, by their addresses as stacks name them. */
const modules = new Map<string, ModuleScope>();

/** Loads a module in its own name. @throws what it throws, and Error when there is no such file */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  const scope = { module: path };
  const address = pathToFileURL(realpathSync(path)).href;
  modules.set(address, scope);
  return runInModule(scope, () => import(/* @vite-ignore */ address) as Promise<Record<string, unknown>>); // checked by who asks
}

/** Runs `work`, and all that it sets going, in the name of a module. */
export function runInModule<Result>(scope: ModuleScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Runs `work` of the service's own, which a module asked for, in nobody's name. */
export function runOutsideModules<Result>(work: () => Result): Result {
  return scopes.run(undefined, work);
}

/**
 * Whose fault it is that nobody caught one; `undefined`: no module's. To be asked where the process hears of it.
 * Node does not always remember in whose name a listener or a microtask ran; then the stack tells.
 */
export function moduleOfError(error: unknown): ModuleScope | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return scopes.getStore() ?? [...modules].find(([address]) => stack.includes(address))?.[1];
}
