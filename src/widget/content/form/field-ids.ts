/** Ids of the controls of a form, by the JSON pointer of their field. They stay the same while the form changes. */
export class FieldIds {
  readonly #ids = new Map<string, string>();

  /** The id of a field's control, unique in the form and without whitespace. */
  idOf(pointer: string): string {
    const id = this.#ids.get(pointer) ?? `field-${this.#ids.size}`;
    this.#ids.set(pointer, id);
    return id;
  }

  /** Ids of a field and of the fields in it. */
  within(pointer: string): string[] {
    return [...this.#ids]
      .filter(([key]) => key === pointer || key.startsWith(`${pointer}/`))
      .map(([, id]) => id);
  }
}
