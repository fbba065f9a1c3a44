import type { WireDiagnostic } from '../../client/agent-client.ts';
import { areaStorage, snapshotOf } from '../../session/index.ts';
import type { ChatSession, ConversationStorage, Snapshot } from '../../session/index.ts';
import type { Config } from '../config/config-table.ts';
import { areaOf, readPanelState, storageKeyOwners, storageKeyOf, type StorageHost } from './storage-key.ts';

/** State of the panel when the previous page was left. */
interface PanelState {
  readonly open: boolean;
  /** Number of unread answers. */
  readonly unread: number;
}

/** How long a page may take to set `visitor` before stored data of another visitor is deleted, in ms. */
const visitorGraceMs = 10_000;

interface StorageLocation extends Pick<Config, 'storage' | 'visitor'> {
  readonly key: string;
}

/**
 * Stores the conversation, the draft, the panel's state and the unread count as the `storage` setting says. Stores
 * nothing before the first message, nothing with `none`, and never shows one visitor's data to another.
 */
export class ChatStorage implements ConversationStorage {
  readonly #onDiagnostic: (diagnostic: WireDiagnostic) => void;
  readonly #host: StorageHost;
  #location: StorageLocation;
  #inner: ConversationStorage | undefined;
  #isOpen = false;
  #unread = 0;
  #draft = '';
  #isStored = false;
  /** What waits to be stored while the page may still set the visitor whose data is stored. */
  #held: Snapshot | true | undefined;

  constructor(host: StorageHost, onDiagnostic: (diagnostic: WireDiagnostic) => void) {
    this.#onDiagnostic = onDiagnostic;
    this.#host = host;
    this.#location = locationOf(host);
    this.#inner = this.#storageOf(this.#location);
    this.restore();
  }

  /** Restores this visitor's draft and panel state. */
  restore(): void {
    const { panelState } = this;
    if (!panelState) return;
    const typed = this.#isStored ? '' : this.#draft; // typed before the page set `visitor`
    this.#isStored = true;
    this.#isOpen = panelState.open;
    this.#unread = panelState.unread;
    this.#draft = this.#attempt(() => sessionStorage.getItem(this.#draftKey)) ?? typed;
  }

  /**
   * The stored conversation as text, for comparison; undefined if it cannot be read or belongs to another element.
   */
  get text(): string | undefined {
    return this.#attempt(() => `${JSON.stringify(this.#inner?.load())}`);
  }

  /** The stored panel state of this visitor. */
  get panelState(): PanelState | undefined {
    const [, open, unread, visitor] = this.#attempt(() => readPanelState(this.#host)) ?? [];
    if (visitor !== this.#location.visitor) return undefined;
    return { open: open === '1', unread: Number(unread) };
  }

  load(): unknown {
    if (this.panelState) return this.#inner?.load();
    // The stored data belongs to another visitor, or is incomplete: delete it. Without a visitor, wait for the page
    // to set one.
    if (!this.#inner) return undefined;
    if (this.#location.visitor) this.clear();
    else {
      this.#held = this.#attempt(() => readPanelState(this.#host)[3]) ? true : undefined;
      setTimeout(() => {
        if (this.#location.visitor) return;
        const held = this.#held;
        this.#held = undefined;
        if (!this.#isStored && !this.panelState) this.clear();
        if (typeof held === 'object') this.save(held);
      }, visitorGraceMs);
    }
    return undefined;
  }

  save(snapshot: Snapshot): void {
    if (!this.#inner || !this.#ownsKey) return;
    if (this.#held) {
      this.#held = snapshot;
      return;
    }
    this.#inner.save(snapshot);
    this.#isStored = true;
    this.#writeMark();
    this.#writeDraft();
  }

  clear(): void {
    if (this.#held) {
      this.#held = true;
      return;
    }
    this.#isStored = false;
    const { key } = this.#location;
    this.#attempt(() => {
      this.#inner?.clear();
      const area = areaOf(this.#location);
      area?.removeItem(key);
      if (area) for (const part of ['draft', 'forms', 'shell']) sessionStorage.removeItem(`${key} ${part}`);
    });
  }

  /** The unsent text. Stored for this tab only, whatever `storage` is. */
  get draft(): string {
    return this.#draft;
  }

  set draft(text: string) {
    if (text === this.#draft) return;
    this.#draft = text;
    if (this.#isStored) this.#writeDraft();
  }

  /** Stores the panel's state. */
  savePanelState(isOpen: boolean, unread: number): void {
    if (isOpen === this.#isOpen && unread === this.#unread) return;
    this.#isOpen = isOpen;
    this.#unread = unread;
    if (this.#isStored) this.#writeMark();
  }

  /**
   * Applies changed settings; stored data moves with the conversation. Another visitor's conversation is left.
   * @param onVisitorLeave called when the visitor leaves to whom the conversation and the draft belong
   * @returns whether the visitor has changed
   */
  applySettings(session: ChatSession, onVisitorLeave: () => void): boolean {
    const { conversation } = session;
    const before = this.#location;
    const next = locationOf(this.#host);
    const isSame =
      before.storage === next.storage && before.key === next.key && before.visitor === next.visitor;
    if (isSame) return false;
    const isOther = before.visitor !== next.visitor;
    // If the page sets the visitor before the first message, it is not a change of visitor: keep the draft, and
    // restore the stored data of that visitor.
    const isNamed = !before.visitor && !this.#isStored && conversation.messages.length === 0;
    if (isOther) session.setThread(undefined);
    if (!isNamed) this.clear();
    this.#held = undefined;
    // another element of the former agent may use its key from now on
    if (before.key !== next.key && this.#ownsKey) Reflect.deleteProperty(storageKeyOwners, before.key);
    this.#location = next;
    this.#inner = this.#storageOf(next);
    if (isOther && !isNamed) {
      this.#draft = '';
      onVisitorLeave();
    }
    if (isOther) this.load();
    else if (conversation.messages.length > 0) this.save(snapshotOf(conversation));
    return isOther;
  }

  get #draftKey(): string {
    return `${this.#location.key} draft`;
  }

  #storageOf({ storage, key }: StorageLocation): ConversationStorage | undefined {
    if (storage === 'none') return undefined;
    return areaStorage({
      area: () => (storage === 'local' ? localStorage : sessionStorage),
      key: `${key} conversation`,
      onDiagnostic: this.#onDiagnostic,
    });
  }

  #writeMark(): void {
    const { visitor, key } = this.#location;
    const panelState = `${this.#isOpen ? 1 : 0} ${Math.min(this.#unread, 99_999)} ${visitor}`;
    this.#attempt(() => areaOf(this.#location)?.setItem(key, panelState));
  }

  #writeDraft(): void {
    if (!this.#inner) return;
    this.#attempt(() => {
      if (this.#draft) sessionStorage.setItem(this.#draftKey, this.#draft.slice(0, 100_000));
      else sessionStorage.removeItem(this.#draftKey);
    });
  }

  /** True for an element that the page has replaced by another one, which continues its conversation. */
  get isTakenOver(): boolean {
    return !this.#host.isConnected && !this.#ownsKey;
  }

  /** True unless another element has taken this one's storage key, and keeps its own data there. */
  get #ownsKey(): boolean {
    return storageKeyOwners[this.#location.key] === this.#host;
  }

  /**
   * Storage errors are ignored; the chat works without persistence. The conversation's own storage reports them.
   */
  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return this.#ownsKey ? work() : undefined;
    } catch {
      return undefined;
    }
  }
}

function locationOf(host: StorageHost): StorageLocation {
  const { storage, visitor } = host.config;
  return { key: storageKeyOf(host), storage, visitor };
}
