import type { IdentifierPrefix } from './identifier-prefix.ts';
import type { StreamSettings } from './read-run-stream.ts';
import type { Requester } from './requester.ts';

/** What the calls of one client have in common. */
export interface ClientParts {
  readonly product: string;
  readonly requester: Requester;
  /** Fetches what renames the prefixed identifiers; undefined where they are those of this package. */
  readonly prefix: (() => Promise<IdentifierPrefix>) | undefined;
  readonly streams: StreamSettings;
}
