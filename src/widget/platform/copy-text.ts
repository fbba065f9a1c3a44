/**
 * Copies text to the clipboard; falls back to a selection where the clipboard API is missing or blocked.
 * @returns whether the text was copied
 */
export async function copyText(text: string, anchor: Element): Promise<boolean> {
  try {
    // missing in insecure contexts, whatever its type says
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return import('./copy-selected.ts').then(
      ({ copyBySelection }) => copyBySelection(text, anchor),
      () => false,
    );
  }
}
