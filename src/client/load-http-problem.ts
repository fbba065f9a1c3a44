import type * as HttpProblem from './http-problem.ts';
import { awaitModule } from './await-module.ts';

/**
 * Loads the code for errors of rejected requests, which most visits do not need.
 * @param url URL of the request
 * @throws NetworkError (rejects) when it cannot be loaded
 */
export function loadHttpProblem(url: string): Promise<typeof HttpProblem> {
  return awaitModule(url, import('./http-problem.ts'));
}
