import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonObject, ToolResult } from './tool-call.ts';

/** Largest image or sound that becomes a content item, in characters of base64. */
const maxMediaLength = 1_500_000;
const maxItems = 20;

/**
 * Reads the result of a tool. The text is cut after `limit` bytes, with a note.
 * @source MCP, "Tool Result"
 */
export function readToolResult(result: CallToolResult, limit: number): ToolResult {
  const texts: string[] = [];
  const items: JsonObject[] = [];
  for (const part of result.content ?? []) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'image' || part.type === 'audio') {
      const item = mediaItem(part.type, part.mimeType, part.data);
      if (item) items.push(item);
      texts.push(item ? `[${part.type} shown to the visitor]` : `[${part.type} left out: too large]`);
    } else if (part.type === 'resource') {
      if ('text' in part.resource) texts.push(part.resource.text);
      else texts.push(`[resource ${part.resource.uri}]`);
    } else {
      texts.push(`${part.title ?? part.name}: ${part.uri}`);
      if (/^https?:/i.test(part.uri)) {
        items.push({
          response_type: 'button',
          button_type: 'url',
          kind: 'secondary',
          label: (part.title ?? part.name).slice(0, 200),
          url: part.uri,
        });
      }
    }
  }
  if (texts.length === 0 && result.structuredContent !== undefined)
    texts.push(JSON.stringify(result.structuredContent));
  return {
    text: cutText(texts.join('\n'), limit),
    isError: result.isError === true,
    items: items.slice(0, maxItems),
  };
}

function mediaItem(type: 'image' | 'audio', mimeType: string, data: string): JsonObject | undefined {
  const isSafe = type === 'image' ? /^image\/(png|jpeg|gif|webp)$/ : /^audio\/[\w.+-]+$/;
  if (data.length > maxMediaLength || !isSafe.test(mimeType) || !/^[\w+/=\s-]*$/.test(data)) return undefined;
  return { response_type: type, source: `data:${mimeType};base64,${data}` };
}

/** Cuts a text after `limit` bytes of UTF-8, with a note about the rest. */
export function cutText(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
  return `${kept}\n[cut: the result has ${bytes.length} bytes, the first ${limit} are shown]`;
}
