import type { IdentifierPrefix } from './identifier-prefix.ts';
import type { StreamSettings } from './read-run-stream.ts';
import type { Requester } from './requester.ts';

/** Shared by all calls of one client. */
export interface ClientContext {
  readonly product: string;
  readonly requester: Requester;
  /** Loads the code that renames prefixed identifiers; undefined when the prefix is the default. */
  readonly prefix: (() => Promise<IdentifierPrefix>) | undefined;
  readonly streams: StreamSettings;
}
