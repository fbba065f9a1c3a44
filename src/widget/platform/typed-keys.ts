/**
 * Stops keys that are typed into the chat's fields, so that they do not trigger shortcuts of the page: to the page,
 * they come from the host element, which is not a field. Keys that leave a field and combinations with Ctrl, Alt or
 * Meta pass.
 */
export function stopTypedKeys(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.altKey || event.metaKey || /^(Esc|Tab|F\d)/.test(event.key);
  const [field] = event.composedPath() as Element[]; // the target of a key event is an element
  if (!isCommand && field?.matches('input, textarea, select')) event.stopPropagation();
}
