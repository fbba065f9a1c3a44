import * as z from 'zod/mini';

/**
 * One content item of a message. Open: unknown keys are kept, because real text items have `text` although
 * the interface's table does not list it.
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

/** A content item on the wire. */
export type ContentItem = z.infer<typeof contentItemSchema>;

/** Creates a text item. @param text Markdown, any length */
export function textItem(text: string): ContentItem {
  return { response_type: 'text', text };
}
