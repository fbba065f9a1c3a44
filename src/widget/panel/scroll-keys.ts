import type { ComposerElement } from './composer/composer.ts';
import type { TranscriptElement } from './transcript/transcript.ts';

/** Distance to scroll by, in heights of the view. Page keys leave a line or two in view, as browsers do. */
const keys: Readonly<Record<string, number>> = {
  PageUp: -0.875,
  PageDown: 0.875,
  Home: -Infinity,
  End: Infinity,
};

/** Lets keys that have no caret to move in an empty composer scroll the conversation. */
export function scrollByKey(
  event: KeyboardEvent,
  {
    composer,
    transcript,
  }: { readonly composer: ComposerElement; readonly transcript: TranscriptElement | null },
): void {
  const views = keys[event.key];
  if (views === undefined || event.defaultPrevented || event.isComposing) return;
  const hasModifier = event.shiftKey || event.altKey || event.metaKey;
  if (hasModifier || (event.ctrlKey && event.key.startsWith('Page'))) return; // Ctrl+PageUp changes the browser's tab
  const [field] = event.composedPath();
  const isEmpty = field instanceof HTMLTextAreaElement && field.value === '';
  if (!isEmpty || !event.composedPath().includes(composer)) return;
  if (transcript?.scrollByViews(views)) event.preventDefault();
}
