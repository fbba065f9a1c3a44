import { AsyncLocalStorage } from 'node:async_hooks';
import { realpathSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The module on whose behalf code runs. */
export interface ModuleScope {
  /** Path of the module. */
  readonly module: string;
  /** Absent while the module is being loaded. */
  readonly runId?: string;
}

const scopes = new AsyncLocalStorage<ModuleScope | undefined>();
/** Loaded modules by URL, as it appears in stack traces. */
const modules = new Map<string, ModuleScope>();

/**
 * Imports a module within its own scope.
 * @throws the module's own error; that of a syntax error says how to find the line. Error when the file does not exist
 */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  const scope = { module: path };
  const address = pathToFileURL(realpathSync(path)).href;
  modules.set(address, scope);
  // a changed file is loaded again; Node would return the module that it knows
  const version = `${address}?changed=${statSync(path).mtimeMs}`;
  try {
    // the caller checks the exports
    return await runInModule(
      scope,
      () => import(/* @vite-ignore */ version) as Promise<Record<string, unknown>>,
    );
  } catch (error) {
    // an import says neither the file nor the line
    if (error instanceof SyntaxError) error.message += `; to see where, run: node ${path}`;
    throw error;
  }
}

/** Runs `work`, and everything it starts, within the scope of a module. */
export function runInModule<Result>(scope: ModuleScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Runs the service's own `work`, called by a module, outside all module scopes. */
export function runOutsideModules<Result>(work: () => Result): Result {
  return scopes.run(undefined, work);
}

/**
 * Returns the module that caused an uncaught error, or `undefined` for the service itself. Call it in the
 * process's error handler. Node loses the async scope of some listeners and microtasks; the stack trace is
 * the fallback.
 */
export function moduleOfError(error: unknown): ModuleScope | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return scopes.getStore() ?? [...modules].find(([address]) => stack.includes(address))?.[1];
}
