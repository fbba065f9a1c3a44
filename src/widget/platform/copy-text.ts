const clipboardTypes = ['text/plain', 'text/html'] as const;

/** The same content as plain text, and as HTML for programs that paste formatted text. */
export type ClipboardFormats = Readonly<Record<(typeof clipboardTypes)[number], string>>;

/**
 * Copies text to the clipboard; falls back to a selection where the clipboard API is missing or blocked.
 * @param formats copied in place of the text, once they are there
 * @returns whether the text was copied
 */
export async function copyText(
  text: string,
  anchor: Element,
  formats?: Promise<ClipboardFormats>,
): Promise<boolean> {
  try {
    const { clipboard } = navigator; // missing in insecure contexts, whatever its type says
    // before the formats are there: some engines allow it only in the event of a click
    const contents = clipboardTypes.map((type) => [
      type,
      formats?.then((content) => new Blob([content[type]], { type })),
    ]);
    await (formats
      ? clipboard.write([new ClipboardItem(Object.fromEntries(contents))])
      : clipboard.writeText(text));
    return true;
  } catch {
    const content = await formats?.catch(() => undefined);
    return import('./copy-selected.ts').then(
      ({ copyBySelection }) => copyBySelection(content?.['text/plain'] ?? text, anchor),
      () => false,
    );
  }
}
