import type { LitElement } from 'lit';
import { isObject } from '../../../protocol/json.ts';
import type { FieldIds } from './field-ids.ts';
import type { Field, GroupField, ListField } from './form-model.ts';
import type { FormState } from './form-state.ts';
import { newEntry } from './schema/defaults.ts';
import { entrySchemas } from './schema/entry-schemas.ts';
import { own, pointerOf, type Path } from './schema/json.ts';

/** A button or input beside a field: the name of a key, or a tool of an entry or a list. */
type Tool = 'key' | 'add' | 'remove' | 'up' | 'down';

/** Adds, removes, moves and renames entries of lists and groups, and keeps the focus beside them. */
export class EntryEditor {
  readonly #form: LitElement;
  readonly #ids: FieldIds;
  readonly #change: (change: (state: FormState) => void) => void;

  /** @param change changes the state of the form, and renders it */
  constructor(form: LitElement, ids: FieldIds, change: (change: (state: FormState) => void) => void) {
    this.#form = form;
    this.#ids = ids;
    this.#change = change;
  }

  /** Adds an additional key. @param name its name until the visitor changes it */
  addKey(group: GroupField, name: string): void {
    const key = freeKey(group, name);
    const others = own(group.schema, 'additionalProperties');
    this.#change((state) => {
      const value = isObject(others) ? (newEntry(state.document, others) ?? '') : '';
      state.setValue([...group.path, key], value);
    });
    void this.#focusTool([fieldOfKey(key, group), 'key']);
  }

  renameKey(group: Path, from: string, to: string): void {
    this.#change((state) => state.renameKey(group, from, to));
  }

  removeKey(group: GroupField, key: string): void {
    const { extraKeys } = group;
    const index = extraKeys.indexOf(key);
    const neighbour = extraKeys[index + 1] ?? extraKeys[index - 1];
    this.#change((state) => state.removeKey([...group.path, key]));
    void this.#focusTool(
      [neighbour === undefined ? undefined : fieldOfKey(neighbour, group), 'remove'],
      [group, 'add'],
    );
  }

  addEntry(list: ListField): void {
    const entries = entriesOf(list);
    this.#change((state) => {
      const entry = newEntry(state.document, entrySchemas(list.schema).others ?? true);
      state.setList(list.path, [...entries, entry]);
    });
    void this.#focusWithin([...list.path, entries.length]);
  }

  removeEntry(list: ListField, index: number): void {
    this.#change((state) => state.setList(list.path, entriesOf(list).toSpliced(index, 1)));
    const neighbour = list.entries[Math.min(index, list.entries.length - 2)];
    void this.#focusTool([neighbour, 'remove'], [list, 'add']);
  }

  moveEntry(list: ListField, from: number, to: number): void {
    const entries = entriesOf(list);
    this.#change((state) =>
      state.setList(list.path, entries.toSpliced(from, 1).toSpliced(to, 0, entries[from])),
    );
    const moved = list.entries[to];
    if (to < from) void this.#focusTool([moved, 'up'], [moved, 'down']);
    else void this.#focusTool([moved, 'down'], [moved, 'up']);
  }

  /** Creates an optional part that is still absent. */
  createPart(field: Field): void {
    this.#change((state) => state.setValue(field.path, newEntry(state.document, field.schema) ?? {}));
    void this.#focusWithin(field.path);
  }

  /** Focuses the first of these tools that still exists. */
  async #focusTool(
    ...tools: readonly (readonly [field: Pick<Field, 'pointer'> | undefined, tool: Tool])[]
  ): Promise<void> {
    await this.#form.updateComplete;
    const elements = tools.map(
      ([field, tool]) =>
        field &&
        this.#form.renderRoot.querySelector<HTMLElement>(`#${this.#ids.idOf(field.pointer)}-${tool}`),
    );
    const existing = elements.find(Boolean);
    existing?.focus();
    // a generated name is selected, ready to be replaced
    if (existing instanceof HTMLInputElement) existing.select();
  }

  /** Focuses the first control of a part. */
  async #focusWithin(path: Path): Promise<void> {
    await this.#form.updateComplete;
    const ids = this.#ids.within(pointerOf(path));
    const selector = ids.flatMap((id) => [`#${id}`, `#${id}-variant`, `#${id}-add`]).join();
    this.#form.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }
}

function fieldOfKey(key: string, group: GroupField): Pick<Field, 'pointer'> {
  return { pointer: pointerOf([...group.path, key]) };
}

/** The entries of a list, also those beyond the ones that the form shows. */
function entriesOf({ entries, value }: ListField): readonly unknown[] {
  const rest = Array.isArray(value) ? value.slice(entries.length) : [];
  return [...entries.map((entry) => entry.value), ...rest];
}

/** Returns a key that no entry of a group uses yet. */
function freeKey(group: GroupField, name: string): string {
  const taken = isObject(group.value) ? group.value : {};
  let key = name;
  for (let number = 2; Object.hasOwn(taken, key); number += 1) key = `${name} ${number}`;
  return key;
}
