import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonObject, ToolResult } from './tool-call.ts';

/** Largest image or sound that becomes a content item, in characters of base64. */
const maxMediaLength = 1_500_000;
const maxItems = 20;

type ContentPart = CallToolResult['content'][number];

/** A picture or a sound, in base64. */
interface Media {
  readonly mimeType: string;
  readonly data: string;
}

/**
 * Reads the result of a tool. The text is cut after `limit` bytes, with a note.
 * @source MCP, "Tool Result"
 */
export function readToolResult(result: CallToolResult, limit: number): ToolResult {
  const texts: string[] = [];
  const items: JsonObject[] = [];
  /** Returns what the model reads of a picture or a sound. */
  const show = (name: string, media: Media, { annotations }: ContentPart): string => {
    if (annotations?.audience?.includes('user') === false) return `[${name} not shown to the visitor]`;
    const item = mediaItem(media);
    if (item) items.push(item);
    return item ? `[${name} shown to the visitor]` : `[${name} left out: too large, or of another type]`;
  };
  for (const part of result.content ?? []) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'image' || part.type === 'audio') texts.push(show(part.type, part, part));
    else if (part.type === 'resource') {
      const { resource } = part;
      const { mimeType = '' } = resource;
      if ('text' in resource) texts.push(resource.text);
      else if (!/^(image|audio)\//.test(mimeType)) texts.push(`[resource ${resource.uri}]`);
      else texts.push(show(`resource ${resource.uri}`, { mimeType, data: resource.blob }, part));
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

/** Returns the content item of a picture or a sound; `undefined` if it is too large, or of another type. */
export function mediaItem({ mimeType, data }: Media): JsonObject | undefined {
  const [type = ''] = mimeType.split('/');
  if (!/^(image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+)$/.test(mimeType)) return undefined;
  if (data.length > maxMediaLength || !/^[\w+/=\s-]*$/.test(data)) return undefined;
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
