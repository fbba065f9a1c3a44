import type { WireDiagnostic } from '../client/agent-client.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { areaStorage, snapshotOf, type ConversationStorage, type Snapshot } from '../session/index.ts';
import type { Config } from './config-table.ts';
import { readVisitMark, visitArea, visitKey, type VisitMark } from './visit-mark.ts';

type Place = Pick<Config, 'baseUrl' | 'agentId' | 'storage' | 'visitor'>;

/**
 * Keeps a visit in the browser's storage the way `storage` says: conversation, draft, whether the panel stood open,
 * what is unread. Nothing before the first message; nothing of one visitor for another; with `none` nothing, ever.
 */
export class VisitStorage implements ConversationStorage {
  readonly #tell: (diagnostic: WireDiagnostic) => void;
  #place: Place;
  #inner: ConversationStorage | undefined;
  #isOpen = false;
  #unread = 0;
  #draft = '';
  #isKept = false;

  constructor(place: Place, tell: (diagnostic: WireDiagnostic) => void) {
    this.#tell = tell;
    this.#place = place;
    this.#inner = this.#storageOf(place);
    const mark = this.mark;
    if (mark) {
      this.#isKept = true;
      this.#isOpen = mark.open;
      this.#unread = mark.unread;
      this.#draft = this.#attempt(() => sessionStorage.getItem(this.#draftKey)) ?? '';
    }
  }

  /** What was kept of this visitor's last visit. */
  get mark(): VisitMark | undefined {
    const mark = readVisitMark(this.#place);
    return mark?.visitor === this.#place.visitor ? mark : undefined;
  }

  load(): unknown {
    if (this.mark) return this.#inner?.load();
    // A visit of another visitor, or one half written: gone before anything else happens.
    if (this.#place.storage !== 'none') this.clear();
    return undefined;
  }

  save(snapshot: Snapshot): void {
    if (!this.#inner) return;
    this.#inner.save(snapshot);
    this.#isKept = true;
    this.#writeMark();
    this.#writeDraft();
  }

  clear(): void {
    this.#isKept = false;
    this.#inner?.clear();
    this.#attempt(() => {
      visitArea(this.#place.storage)?.removeItem(visitKey(this.#place));
    });
    if (this.#place.storage !== 'none')
      this.#attempt(() => {
        sessionStorage.removeItem(this.#draftKey);
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
  moveTo(next: Place, conversation: Conversation): boolean {
    const before = this.#place;
    const isSame =
      before.storage === next.storage &&
      visitKey(before) === visitKey(next) &&
      before.visitor === next.visitor;
    if (isSame) return false;
    this.clear();
    const isOther = before.visitor !== next.visitor;
    this.#place = next;
    this.#inner = this.#storageOf(next);
    if (isOther) this.#draft = '';
    else if (conversation.messages.length > 0) this.save(snapshotOf(conversation));
    return isOther;
  }

  get #draftKey(): string {
    return `${visitKey(this.#place)} draft`;
  }

  #storageOf({ storage, ...rest }: Place): ConversationStorage | undefined {
    if (storage === 'none') return undefined;
    return areaStorage({
      area: () => (storage === 'local' ? localStorage : sessionStorage),
      key: `${visitKey(rest)} conversation`,
      onDiagnostic: this.#tell,
    });
  }

  #writeMark(): void {
    const { visitor, storage } = this.#place;
    const mark = `${this.#isOpen ? 1 : 0} ${Math.min(this.#unread, 99_999)} ${visitor}`;
    this.#attempt(() => visitArea(storage)?.setItem(visitKey(this.#place), mark));
  }

  #writeDraft(): void {
    if (this.#place.storage === 'none') return;
    this.#attempt(() => {
      if (this.#draft) sessionStorage.setItem(this.#draftKey, this.#draft.slice(0, 100_000));
      else sessionStorage.removeItem(this.#draftKey);
    });
  }

  /** Storage that is full or forbidden costs what would be kept, never the chat; the conversation's own storage says so. */
  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch {
      return undefined;
    }
  }
}
