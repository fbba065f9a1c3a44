/** Puts a text on the clipboard, the old way where the new one is missing or refused. Says whether it is there. */
export async function copyText(text: string, place: Element): Promise<boolean> {
  try {
    // missing where the page is no secure one, whatever its type says
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return import('./copy-selected.ts').then(
      ({ copyBySelection: copySelected }) => copySelected(text, place),
      () => false,
    );
  }
}
