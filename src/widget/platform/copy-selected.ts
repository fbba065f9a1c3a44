import { deepestFocus } from './focus.ts';

/**
 * Copies text by selecting it; focus and selection are restored afterwards.
 * @param anchor an element where focus may go, also under a dialog; the temporary field is inserted after it
 * @param formats their plain text is copied in place of the text, once it is there
 * @returns whether the text was copied
 */
export async function copyBySelection(
  text: string,
  anchor: Element,
  formats?: Promise<{ readonly 'text/plain': string }>,
): Promise<boolean> {
  const content = await formats?.catch(() => undefined);
  const focused = deepestFocus();
  const selection = document.getSelection();
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = selection ?? {};
  const field = document.createElement('textarea');
  field.value = content?.['text/plain'] ?? text;
  field.readOnly = true;
  field.ariaHidden = 'true';
  field.style.position = 'fixed';
  field.style.inset = '0 auto auto 0';
  field.style.opacity = '0';
  anchor.after(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (anchorNode && focusNode)
      selection?.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
