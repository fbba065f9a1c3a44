import { NetworkError } from './errors.ts';

/**
 * Waits for a module of this package that a request needs.
 * @param url URL of the request
 * @throws NetworkError (rejects) when the module cannot be loaded
 */
export async function awaitModule<Module>(url: string, module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (cause) {
    throw new NetworkError(url, { cause });
  }
}
