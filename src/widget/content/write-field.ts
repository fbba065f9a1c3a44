/** Writes a value into a field as a visitor would: with the events of typing and of leaving the field. */
export function writeField(field: HTMLInputElement, value: string): void {
  field.value = value;
  for (const type of ['input', 'change'])
    field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}
