/** Where a key was pressed last. */
let pressed: EventTarget | undefined;

/**
 * Ignores Enter while it is held down, except in the text field where it was pressed: each repetition would press what
 * has taken the place of a button, or submit the form that it opened.
 */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  if (!event.repeat) pressed = target;
  else if (event.key === 'Enter' && !(target === pressed && target instanceof HTMLTextAreaElement)) {
    event.preventDefault();
    event.stopPropagation();
  }
}
