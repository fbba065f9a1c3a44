import type { WireDiagnostic } from '../../client/agent-client.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { areaStorage, snapshotOf, type ConversationStorage, type Snapshot } from '../../session/index.ts';
import type { Config } from '../config/config-table.ts';
import { readPanelState, storageKeyOwners, storageKeyOf, type StorageHost } from './storage-key.ts';

/** How the panel stood when the last page was left. */
interface VisitMark {
  readonly open: boolean;
  /** Answers that came unseen. */
  readonly unread: number;
}

/** How long a page may take to say whose visit it is, before what was kept of another visitor's is gone, in milliseconds. */
const nameAfter = 10_000;

interface Place extends Pick<Config, 'storage' | 'visitor'> {
  readonly key: string;
}

/**
 * Keeps a visit in the browser's storage the way `storage` says: conversation, draft, whether the panel stood open,
 * what is unread. Nothing before the first message; nothing of one visitor for another; with `none` nothing, ever.
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

  /** Takes up what is kept of this visitor's visit. */
  restore(): void {
    const { mark } = this;
    if (!mark) return;
    const typed = this.#isKept ? '' : this.#draft; // before the visitor was named
    this.#isKept = true;
    this.#isOpen = mark.open;
    this.#unread = mark.unread;
    this.#draft = this.#attempt(() => sessionStorage.getItem(this.#draftKey)) ?? typed;
  }

  /** What is kept of the conversation, to be compared; undefined when it cannot be read, or is another element's. */
  get text(): string | undefined {
    return this.#attempt(() => `${JSON.stringify(this.#inner?.load())}`);
  }

  /** What was kept of this visitor's last visit. */
  get mark(): VisitMark | undefined {
    const [, open, unread, visitor] = this.#attempt(() => readPanelState(this.#host)) ?? [];
    if (visitor !== this.#place.visitor) return undefined;
    return { open: open === '1', unread: Number(unread) };
  }

  load(): unknown {
    if (this.mark) return this.#inner?.load();
    // A visit of another visitor, or one half written: gone before anything else happens.
    // A page has a while to say whose visit it is.
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

  /** What is written and not sent yet. Of this tab alone, whatever `storage` is: it stays where it is typed. */
  get draft(): string {
    return this.#draft;
  }

  set draft(text: string) {
    if (text === this.#draft) return;
    this.#draft = text;
    if (this.#isKept) this.#writeDraft();
  }

  /** Notes how the panel stands. */
  note(isOpen: boolean, unread: number): void {
    if (isOpen === this.#isOpen && unread === this.#unread) return;
    this.#isOpen = isOpen;
    this.#unread = unread;
    if (this.#isKept) this.#writeMark();
  }

  /**
   * Takes over changed settings: what was kept moves along with the conversation.
   * @returns whether the visitor is another, whose conversation must not be shown on
   */
  move(conversation: Conversation): boolean {
    const before = this.#place;
    const next = placeOf(this.#host);
    const isSame =
      before.storage === next.storage && before.key === next.key && before.visitor === next.visitor;
    if (isSame) return false;
    const isOther = before.visitor !== next.visitor;
    // who has said nothing before they are named is nobody else: their words stay, and what was kept for them is theirs
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

  /** No other element has taken the place of this one: it would keep its own visit there. */
  get #isOwn(): boolean {
    return storageKeyOwners[this.#place.key] === this.#host;
  }

  /** Storage that is full or forbidden costs what would be kept, never the chat; the conversation's own storage says so. */
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

/** @throws what the browser throws where storage is forbidden. */
function areaOf({ storage }: Place): Storage | undefined {
  return storage === 'none' ? undefined : storage === 'local' ? localStorage : sessionStorage;
}
