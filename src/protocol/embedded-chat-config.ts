import * as z from 'zod/mini';

const optionalString = z.optional(z.nullable(z.string().check(z.maxLength(200))));

/** The panel's container and size. @source interface, "Embedded chat config" */
export const formPropertiesSchema = z.looseObject({
  container_id: optionalString,
  width: optionalString,
  height: optionalString,
});

/** The type of panel and its properties. @source interface, "Embedded chat config" */
export const layoutFormSchema = z.looseObject({
  type: optionalString,
  properties: z.optional(z.nullable(formPropertiesSchema)),
});

/**
 * The appearance of the chat. Strings are stored unchanged; the widget validates them.
 * @source interface, "Embedded chat config"
 */
export const layoutSchema = z.looseObject({
  primary_color: optionalString,
  second_color: optionalString,
  accent_color: optionalString,
  theme: optionalString,
  enable_text_streaming: z.optional(z.nullable(z.boolean())),
  form: z.optional(z.nullable(layoutFormSchema)),
});
export type Layout = z.infer<typeof layoutSchema>;

/** The request of "create or update embedded chat config". @source interface, endpoint 2 */
export const embeddedChatConfigSchema = z.looseObject({
  layout: layoutSchema,
  is_live: z.optional(z.nullable(z.boolean())),
});
export type EmbeddedChatConfig = z.infer<typeof embeddedChatConfigSchema>;

/** The response of endpoint 2: the config with the script to paste. @source interface, endpoint 2 */
export const embeddedChatConfigResponseSchema = z.looseObject({
  layout: layoutSchema,
  is_live: z.optional(z.nullable(z.boolean())),
  script: z.optional(z.nullable(z.string())),
  updated_at: z.optional(z.nullable(z.string())),
});
export type EmbeddedChatConfigResponse = z.infer<typeof embeddedChatConfigResponseSchema>;
