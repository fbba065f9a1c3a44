/**
 * The text with characters that change the order of reading, or that nobody can see, written out: what is approved
 * must be what is read.
 */
export function withVisibleControls(shown: string): string {
  return shown.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (hidden) => `⟨U+${hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
