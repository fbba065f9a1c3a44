import * as z from 'zod/mini';

/**
 * One piece of a message. Open: keys beyond the table are kept as they came, because every real text item carries
 * `text` although the interface's table has no such field.
 * @source interface, "Content item"
 */
export const contentItemSchema = z.looseObject({
  response_type: z.optional(z.nullable(z.string())),
  json_schema: z.optional(z.nullable(z.looseObject({}))),
  ui_schema: z.optional(z.nullable(z.looseObject({}))),
  form_data: z.optional(z.nullable(z.looseObject({}))),
  id: z.optional(z.nullable(z.string())),
  form_operation: z.optional(z.nullable(z.string())),
  sub_type: z.optional(z.nullable(z.string())),
  event_type: z.optional(z.nullable(z.string())),
  dps_payload_id: z.optional(z.nullable(z.string())),
});

/** A content item as it stands on the wire. */
export type ContentItem = z.infer<typeof contentItemSchema>;

/**
 * Makes the content item every real service uses for plain words.
 * @param text Markdown, any length.
 */
export function textItem(text: string): ContentItem {
  return { response_type: 'text', text };
}
