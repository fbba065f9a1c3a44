import { toJson } from '../../../protocol/json.ts';
import { readPanelState, storageKeyOwners, storageKeyOf } from '../../persistence/storage-key.ts';
import type { ItemContext } from '../item-context.ts';
import type { FormDraft } from './form-state.ts';

/** Maximum length of all stored form drafts of a tab, in characters. */
const limit = 100_000;

/** A form element in its chat. */
interface Form extends Element {
  readonly item: { readonly id: string };
  readonly context: ItemContext;
}

/**
 * Stores the visitor's unsent input, so that it survives a reload. Like the composer's draft, it is stored for this
 * tab only, where the chat is stored at all, and deleted with it.
 */
export function saveDraft(form: Form, draft: FormDraft): void {
  change(form, (others) => [...others, [draftKey(form), draft]]);
}

/** The stored draft of a form, unvalidated; undefined if there is none. */
export function savedDraft(form: Form): unknown {
  return attempt(() => {
    const key = storageKeyIn(form);
    return key && read(key).findLast(([name]) => name === draftKey(form))?.[1];
  });
}

/** Deletes the draft of an answered form; the input is in the conversation now. */
export function deleteDraft(form: Form): void {
  change(form, (others) => others);
}

type Entry = readonly [name: string, draft: unknown];

function change(form: Form, next: (others: readonly Entry[]) => readonly Entry[]): void {
  attempt(() => {
    const key = storageKeyIn(form);
    if (!key) return;
    let entries = next(read(key).filter(([name]) => name !== draftKey(form)));
    // drop the oldest first; a form that is too long by itself is not stored
    while (toJson(entries).length > limit) entries = entries.slice(1);
    if (entries.length) sessionStorage.setItem(key, toJson(entries));
    else sessionStorage.removeItem(key);
  });
}

function read(key: string): readonly Entry[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

function isEntry(entry: unknown): entry is Entry {
  return Array.isArray(entry) && typeof entry[0] === 'string';
}

function draftKey({ context, item }: Form): string {
  return JSON.stringify([context.message.id, item.id]);
}

/** The storage key for this chat's forms; undefined if this visitor's chat is not stored. */
function storageKeyIn(form: Form): string | undefined {
  let root = form.getRootNode();
  while (root instanceof ShadowRoot) {
    const { host } = root;
    const holder = Object.values(storageKeyOwners).find((owner) => (owner as unknown) === host);
    if (holder)
      return readPanelState(holder)[3] === holder.config.visitor
        ? `${storageKeyOf(holder)} forms`
        : undefined;
    root = host.getRootNode();
  }
  return undefined;
}

/** Storage errors are ignored; the form works without persistence. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
