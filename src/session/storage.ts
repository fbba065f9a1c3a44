import type { WireDiagnostic } from '../client/agent-client.ts';
import { toJson } from '../protocol/to-json.ts';
import { snapshotOf } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** Where a conversation is kept between visits. Synchronous, like the browser's own; may throw: the session survives it. */
export interface ConversationStorage {
  /** What was saved last, unchecked; undefined when nothing was. */
  load(): unknown;
  /** Called at the end of a turn, and at most once a second while one is on. Never before the first message. */
  save(snapshot: Snapshot): void;
  /** Forgets everything. */
  clear(): void;
}

/** The part of the browser's `Storage` that is used; written out, because a server's types know none. */
export interface StorageArea {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What a conversation's place in a storage area is made of. */
export interface AreaStorageOptions {
  /** Asked at each use, because the mere access throws where storage is forbidden. */
  readonly area: () => StorageArea;
  /** Says whose conversation it is: agent, service, visitor. */
  readonly key: string;
  /** Longest text kept, in characters. Default 1 Mi: browsers give a page 5 Mi in all. */
  readonly limit?: number | undefined;
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

/**
 * Keeps a conversation in `sessionStorage` or `localStorage`. Too long, or the quota reached: the older half goes,
 * until it fits; at last the messages, so that the thread is found again and a service may give its history. Storage
 * that is full or forbidden costs nothing but the memory, and is told once.
 */
export function areaStorage(options: AreaStorageOptions): ConversationStorage {
  const { area, key, limit = 1_048_576, onDiagnostic } = options;
  let hasTold = false;
  const tell = (): void => {
    const message = 'The storage is full or forbidden: the chat goes on without it.';
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
