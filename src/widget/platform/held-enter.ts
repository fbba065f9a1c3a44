/** Where a key was pressed last. */
let pressed: EventTarget | undefined;

/**
 * Ignores Enter while it is held down, except in the text field where it was pressed: each repetition would press what
 * has taken the place of a button, or submit the form that it opened.
 */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  if (!event.repeat) pressed = target;
  if (!event.repeat || event.key !== 'Enter') return;
  if (target === pressed && target instanceof HTMLTextAreaElement) return;
  event.preventDefault();
  event.stopPropagation();
}
