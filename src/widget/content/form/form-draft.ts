import { toJson } from '../../../protocol/to-json.ts';
import { readPanelState, storageKeyOwners, storageKeyOf } from '../../persistence/storage-key.ts';
import type { ItemContext } from '../item-context.ts';
import type { FormDraft } from './form-state.ts';

/** Longest text of all that is kept of a tab's forms, in characters. */
const limit = 100_000;

/** A form in its chat. */
interface Form extends Element {
  readonly item: { readonly id: string };
  readonly context: ItemContext;
}

/**
 * Keeps what is filled in and not sent yet, so that a reload does not cost it. As the composer's draft it stays in this
 * tab, only where a visit is kept, and goes with it.
 */
export function saveDraft(form: Form, draft: FormDraft): void {
  change(form, (others) => [...others, [draftKey(form), draft]]);
}

/** What was kept of a form, unchecked; undefined for nothing. */
export function savedDraft(form: Form): unknown {
  return attempt(() => {
    const place = placeOf(form);
    return place && read(place).findLast(([name]) => name === draftKey(form))?.[1];
  });
}

/** The form was answered: what was filled in is in the conversation. */
export function deleteDraft(form: Form): void {
  change(form, (others) => others);
}

type Entry = readonly [name: string, draft: unknown];

function change(form: Form, next: (others: readonly Entry[]) => readonly Entry[]): void {
  attempt(() => {
    const place = placeOf(form);
    if (!place) return;
    let entries = next(read(place).filter(([name]) => name !== draftKey(form)));
    // The oldest goes first; a form that alone is too long is not kept.
    while (toJson(entries).length > limit) entries = entries.slice(1);
    if (entries.length) sessionStorage.setItem(place, toJson(entries));
    else sessionStorage.removeItem(place);
  });
}

function read(place: string): readonly Entry[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

function isEntry(entry: unknown): entry is Entry {
  return Array.isArray(entry) && typeof entry[0] === 'string';
}

function draftKey({ context, item }: Form): string {
  return JSON.stringify([context.message.id, item.id]);
}

/** Where the forms of this visit are kept; undefined where no visit of this visitor is. */
function placeOf(form: Form): string | undefined {
  let root = form.getRootNode();
  while (root instanceof ShadowRoot) {
    const { host } = root;
    const holder = Object.values(storageKeyOwners).find((one) => (one as unknown) === host);
    if (holder)
      return readPanelState(holder)[3] === holder.config.visitor
        ? `${storageKeyOf(holder)} forms`
        : undefined;
    root = host.getRootNode();
  }
  return undefined;
}

/** Storage that is full or forbidden costs what would be kept, never the form. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
