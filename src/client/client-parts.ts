import type { IdentifierPrefix } from './identifier-prefix.ts';
import type { StreamSettings } from './read-run-stream.ts';
import type { Requester } from './requester.ts';

/** What the calls of one client have in common. */
export interface ClientParts {
  readonly product: string;
  readonly requester: Requester;
  readonly prefix: IdentifierPrefix;
  readonly streams: StreamSettings;
}
