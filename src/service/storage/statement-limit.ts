import { AsyncLocalStorage } from 'node:async_hooks';

const unlimited = new AsyncLocalStorage<true>();

/** Runs migrations and clean-up, whose statements may take any time. */
export function withoutStatementLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  return unlimited.run(true, work);
}

/** Whether the current work has no limit. */
export function hasNoStatementLimit(): boolean {
  return unlimited.getStore() === true;
}
