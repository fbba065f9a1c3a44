import { NetworkError } from './errors.ts';
import type * as HttpProblem from './http-problem.ts';

/**
 * Loads the code for errors of rejected requests, which most visits do not need.
 * @param url URL of the request
 * @throws NetworkError (rejects) when they cannot be loaded
 */
export async function loadHttpProblem(url: string): Promise<typeof HttpProblem> {
  try {
    return await import('./http-problem.ts');
  } catch (cause) {
    throw new NetworkError(url, { cause });
  }
}
