import type { WireDiagnostic } from '../../client/agent-client.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { areaStorage, snapshotOf, type ConversationStorage, type Snapshot } from '../../session/index.ts';
import type { Config } from '../config/config-table.ts';
import { readPanelState, storageKeyOwners, storageKeyOf, type StorageHost } from './storage-key.ts';

/** State of the panel when the previous page was left. */
interface VisitMark {
  readonly open: boolean;
  /** Number of unread answers. */
  readonly unread: number;
}

/** How long a page may take to set `visitor` before stored data of another visitor is deleted, in ms. */
const nameAfter = 10_000;

interface Place extends Pick<Config, 'storage' | 'visitor'> {
  readonly key: string;
}

/**
 * Stores the conversation, the draft, the panel's state and the unread count as the `storage` setting says. Stores
 * nothing before the first message, nothing with `none`, and never shows one visitor's data to another.
 */
export class ChatStorage implements ConversationStorage {
  readonly #tell: (diagnostic: WireDiagnostic) => void;
  readonly #host: StorageHost;
  #place: Place;
  #inner: ConversationStorage | undefined;
  #isOpen = false;
  #unread = 0;
  #draft = '';
  #isKept = false;

  constructor(host: StorageHost, tell: (diagnostic: WireDiagnostic) => void) {
    this.#tell = tell;
    this.#host = host;
    this.#place = placeOf(host);
    this.#inner = this.#storageOf(this.#place);
    this.restore();
  }

  /** Restores this visitor's draft and panel state. */
  restore(): void {
    const { mark } = this;
    if (!mark) return;
    const typed = this.#isKept ? '' : this.#draft; // typed before the page set `visitor`
    this.#isKept = true;
    this.#isOpen = mark.open;
    this.#unread = mark.unread;
    this.#draft = this.#attempt(() => sessionStorage.getItem(this.#draftKey)) ?? typed;
  }

  /**
   * The stored conversation as text, for comparison; undefined if it cannot be read or belongs to another element.
   */
  get text(): string | undefined {
    return this.#attempt(() => `${JSON.stringify(this.#inner?.load())}`);
  }

  /** The stored panel state of this visitor. */
  get mark(): VisitMark | undefined {
    const [, open, unread, visitor] = this.#attempt(() => readPanelState(this.#host)) ?? [];
    if (visitor !== this.#place.visitor) return undefined;
    return { open: open === '1', unread: Number(unread) };
  }

  load(): unknown {
    if (this.mark) return this.#inner?.load();
    // The stored data belongs to another visitor, or is incomplete: delete it. Without a visitor, wait for the page
    // to set one.
    const { storage, visitor } = this.#place;
    if (storage === 'none') return undefined;
    if (visitor) this.clear();
    else setTimeout(() => this.#isKept || this.#place.visitor || this.mark || this.clear(), nameAfter);
    return undefined;
  }

  save(snapshot: Snapshot): void {
    if (!this.#inner || !this.#isOwn) return;
    this.#inner.save(snapshot);
    this.#isKept = true;
    this.#writeMark();
    this.#writeDraft();
  }

  clear(): void {
    this.#isKept = false;
    const { key } = this.#place;
    this.#inner?.clear();
    this.#attempt(() => {
      const area = areaOf(this.#place);
      area?.removeItem(key);
      if (area) for (const kept of [this.#draftKey, `${key} forms`]) sessionStorage.removeItem(kept);
    });
  }

  /** The unsent text. Stored for this tab only, whatever `storage` is. */
  get draft(): string {
    return this.#draft;
  }

  set draft(text: string) {
    if (text === this.#draft) return;
    this.#draft = text;
    if (this.#isKept) this.#writeDraft();
  }

  /** Stores the panel's state. */
  note(isOpen: boolean, unread: number): void {
    if (isOpen === this.#isOpen && unread === this.#unread) return;
    this.#isOpen = isOpen;
    this.#unread = unread;
    if (this.#isKept) this.#writeMark();
  }

  /**
   * Applies changed settings; stored data moves with the conversation.
   * @returns whether the visitor has changed, so that the conversation must not be shown any longer
   */
  move(conversation: Conversation): boolean {
    const before = this.#place;
    const next = placeOf(this.#host);
    const isSame =
      before.storage === next.storage && before.key === next.key && before.visitor === next.visitor;
    if (isSame) return false;
    const isOther = before.visitor !== next.visitor;
    // naming a visitor who has not sent anything is no change: the draft stays, and stored data of that visitor is
    // restored
    const isNamed = !before.visitor && !this.#isKept && conversation.messages.length === 0;
    if (!isNamed) this.clear();
    this.#place = next;
    this.#inner = this.#storageOf(next);
    if (isOther && !isNamed) this.#draft = '';
    if (isOther) this.load();
    else if (conversation.messages.length > 0) this.save(snapshotOf(conversation));
    return isOther;
  }

  get #draftKey(): string {
    return `${this.#place.key} draft`;
  }

  #storageOf({ storage, key }: Place): ConversationStorage | undefined {
    if (storage === 'none') return undefined;
    return areaStorage({
      area: () => (storage === 'local' ? localStorage : sessionStorage),
      key: `${key} conversation`,
      onDiagnostic: this.#tell,
    });
  }

  #writeMark(): void {
    const { visitor, key } = this.#place;
    const mark = `${this.#isOpen ? 1 : 0} ${Math.min(this.#unread, 99_999)} ${visitor}`;
    this.#attempt(() => areaOf(this.#place)?.setItem(key, mark));
  }

  #writeDraft(): void {
    if (this.#place.storage === 'none') return;
    this.#attempt(() => {
      if (this.#draft) sessionStorage.setItem(this.#draftKey, this.#draft.slice(0, 100_000));
      else sessionStorage.removeItem(this.#draftKey);
    });
  }

  /** True unless another element has taken this one's storage key, and keeps its own data there. */
  get #isOwn(): boolean {
    return storageKeyOwners[this.#place.key] === this.#host;
  }

  /**
   * Storage errors are ignored; the chat works without persistence. The conversation's own storage reports them.
   */
  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return this.#isOwn ? work() : undefined;
    } catch {
      return undefined;
    }
  }
}

function placeOf(host: StorageHost): Place {
  const { storage, visitor } = host.config;
  return { key: storageKeyOf(host), storage, visitor };
}

/** @throws SecurityError when the browser blocks storage. */
function areaOf({ storage }: Place): Storage | undefined {
  return storage === 'none' ? undefined : storage === 'local' ? localStorage : sessionStorage;
}
