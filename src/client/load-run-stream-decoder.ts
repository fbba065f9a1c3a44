import { awaitModule } from './await-module.ts';
import type * as RunStreamDecoder from './framing/run-stream-decoder.ts';

/**
 * Loads the decoder of streams in any framing. Plain event streams, as of our service, are read without it.
 * @param url URL of the request
 * @throws NetworkError (rejects) when it cannot be loaded
 */
export function loadRunStreamDecoder(url: string): Promise<typeof RunStreamDecoder> {
  return awaitModule(url, import('./framing/run-stream-decoder.ts'));
}
