import { NetworkError } from './errors.ts';
import type * as HttpProblem from './http-problem.ts';

/**
 * Loads the errors of rejected requests: most visits need none.
 * @param url what was requested
 * @throws NetworkError (rejects) when they cannot be loaded
 */
export async function loadHttpProblem(url: string): Promise<typeof HttpProblem> {
  try {
    return await import('./http-problem.ts');
  } catch (cause) {
    throw new NetworkError(url, { cause });
  }
}
