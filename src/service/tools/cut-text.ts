/** Cuts a text after `limit` bytes of UTF-8, with a note about the rest. */
export function cutText(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
  return `${kept}\n[cut: the result has ${bytes.length} bytes, the first ${limit} are shown]`;
}
