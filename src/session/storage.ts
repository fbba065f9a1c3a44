import type { WireDiagnostic } from '../client/agent-client.ts';
import { toJson } from '../protocol/to-json.ts';
import { snapshotOf } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** Stores a conversation between visits. Synchronous; may throw, which the session reports and ignores. */
export interface ConversationStorage {
  /** The last saved value, unvalidated; undefined when there is none. */
  load(): unknown;
  /** Called at the end of a turn, and at most once a second during one. Not called before the first message. */
  save(snapshot: Snapshot): void;
  /** Deletes the stored value. */
  clear(): void;
}

/** The part of the browser's `Storage` that is used. Declared here for projects without DOM types. */
export interface StorageArea {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Where to store a conversation. */
export interface AreaStorageOptions {
  /** Called at each use, because access throws where storage is blocked. */
  readonly area: () => StorageArea;
  /** The key; it should identify agent, service and visitor. */
  readonly key: string;
  /** Maximum length of the stored text, in characters. Default 1 Mi; browsers allow a page 5 Mi in total. */
  readonly limit?: number | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/**
 * Stores a conversation in `sessionStorage` or `localStorage`. When it is too long, or the quota is reached, the older
 * half of the messages is removed until it fits; at worst only the thread id stays. If storage is full or blocked, the
 * chat works without persistence, and one diagnostic is reported.
 */
export function areaStorage(options: AreaStorageOptions): ConversationStorage {
  const { area, key, limit = 1_048_576, onDiagnostic } = options;
  let hasTold = false;
  const tell = (): void => {
    const message = 'The storage failed. The chat continues without persistence.';
    if (!hasTold) onDiagnostic?.({ code: 'storage-unavailable', message });
    hasTold = true;
  };
  const attempt = <Result>(work: () => Result): Result | undefined => {
    try {
      return work();
    } catch {
      tell();
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
  return {
    load() {
      const text = attempt(() => area().getItem(key));
      if (text === null || text === undefined) return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
    },
    save(snapshot) {
      for (let count = snapshot.conversation.messages.length; count > 0; count = Math.floor(count / 2)) {
        if (write(toJson(snapshotOf(snapshot.conversation, count)))) return;
      }
      tell();
      if (write(toJson(snapshotOf(snapshot.conversation, 0)))) return;
      attempt(() => {
        area().removeItem(key);
      });
    },
    clear() {
      attempt(() => {
        area().removeItem(key);
      });
    },
  };
}
