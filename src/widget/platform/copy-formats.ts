const clipboardTypes = ['text/plain', 'text/html'] as const;

/** The same content as plain text, and as HTML for programs that paste formatted text. */
export type ClipboardFormats = Readonly<Record<(typeof clipboardTypes)[number], string>>;

/**
 * Copies content to the clipboard once it is there. Asks the clipboard at once: some engines allow that only in the
 * event of a click. Falls back to a selection where the clipboard API is missing or blocked.
 * @param text copied when there is no content
 * @returns whether something was copied
 */
export async function copyFormats(
  content: Promise<ClipboardFormats>,
  text: string,
  anchor: Element,
): Promise<boolean> {
  try {
    const blobs = clipboardTypes.map((type) => {
      const blob = content.then((formats) => new Blob([formats[type]], { type }));
      blob.catch(() => undefined); // nobody reads it without a clipboard
      return [type, blob];
    });
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    return true;
  } catch {
    return import('./copy-selected.ts')
      .then(({ copyBySelection }) => copyBySelection(text, anchor, content))
      .catch(() => navigator.clipboard.writeText(text).then(() => true)) // offline, before these modules have loaded
      .catch(() => false);
  }
}
