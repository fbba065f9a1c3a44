import type { WireDiagnostic } from '../client/agent-client.ts';
import { toJson } from '../protocol/json.ts';
import { snapshotOf } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** Stores a conversation between visits. Its methods are synchronous; the session reports errors and continues. */
export interface ConversationStorage {
  /** The last saved value, unvalidated; undefined when there is none. */
  load(): unknown;
  /** Called at the end of a turn, and at most once a second during one. Not called before the first message. */
  save(snapshot: Snapshot): void;
  /** Deletes the stored value. */
  clear(): void;
}

/** Why a conversation may be lost with the page. */
export const storageUnavailable: WireDiagnostic = {
  code: 'storage-unavailable',
  message: 'Browser storage is full or blocked. The conversation may not survive a reload.',
};

/** The subset of the browser's `Storage` that is needed, declared here for projects without DOM types. */
export interface StorageArea {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Options for `areaStorage`. */
export interface AreaStorageOptions {
  /** Called at each use, because access throws where storage is blocked. */
  readonly area: () => StorageArea;
  /** The key; it should identify agent, service and visitor. */
  readonly key: string;
  /** Maximum length of the stored text, in characters. Default 1 Mi; browsers allow about 5 Mi per origin. */
  readonly limit?: number | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/**
 * Stores a conversation in `sessionStorage` or `localStorage`. While the text exceeds `limit` or the quota, the older
 * half of the messages is dropped; in the worst case only the thread id is kept. If storage is full or blocked, the
 * chat works without it, and one diagnostic is reported.
 */
export function areaStorage(options: AreaStorageOptions): ConversationStorage {
  const { area, key, limit = 1_048_576, onDiagnostic } = options;
  let hasReported = false;
  const report = (): void => {
    if (!hasReported) onDiagnostic?.(storageUnavailable);
    hasReported = true;
  };
  const attempt = <Result>(operation: () => Result): Result | undefined => {
    try {
      return operation();
    } catch {
      report();
      return undefined;
    }
  };
  const write = (text: string): boolean => {
    if (text.length > limit) return false;
    try {
      area().setItem(key, text);
      return true;
    } catch {
      return false;
    }
  };
  const remove = (): void => {
    attempt(() => {
      area().removeItem(key);
    });
  };
  return {
    load() {
      const text = attempt(() => area().getItem(key));
      if (text === null || text === undefined) return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text; // the session reports it as an invalid snapshot
      }
    },
    save(snapshot) {
      for (let count = snapshot.conversation.messages.length; count > 0; count = Math.floor(count / 2)) {
        if (write(toJson(snapshotOf(snapshot.conversation, count)))) return;
      }
      report();
      if (write(toJson(snapshotOf(snapshot.conversation, 0)))) return;
      remove();
    },
    clear: remove,
  };
}
