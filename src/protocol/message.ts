import * as z from 'zod/mini';
import { contentItemSchema } from './content-item.ts';
import { lenientUuid } from './identifier.ts';

/** Somebody or something named in a message. @source interface, "Mention" */
export const mentionSchema = z.looseObject({
  type: z.optional(z.nullable(z.string())),
  id: z.optional(z.nullable(lenientUuid)),
  name: z.optional(z.nullable(z.string())),
});
export type Mention = z.infer<typeof mentionSchema>;

/** How a message wants to be shown. @source interface, "Additional properties" */
export const displayPropertiesSchema = z.looseObject({
  skip_render: z.optional(z.nullable(z.boolean())),
  is_async: z.optional(z.nullable(z.boolean())),
  form_operation: z.optional(z.nullable(z.string())),
});
export type DisplayProperties = z.infer<typeof displayPropertiesSchema>;

/** State of a connected app, as the agent reports it. @source interface, "Additional properties" */
export const connectionStatusSchema = z.looseObject({
  connection_status: z.optional(z.nullable(z.string())),
  connection_message: z.optional(z.nullable(z.string())),
});
export type ConnectionStatus = z.infer<typeof connectionStatusSchema>;

/**
 * What travels beside a message's content. The prefix `svc_` is a deployment's own word: the client and the service
 * rename these two keys at their borders (`identifier-prefix`), so that everything inside speaks `svc_`.
 * @source interface, "Additional properties"
 */
export const additionalPropertiesSchema = z.looseObject({
  svc_message: z.optional(z.nullable(z.looseObject({}))),
  display_properties: z.optional(z.nullable(displayPropertiesSchema)),
  tool_calls: z.optional(z.nullable(z.array(z.looseObject({})))),
  tool_call_id: z.optional(z.nullable(z.string())),
  tool_name: z.optional(z.nullable(z.string())),
  svc_connection_status: z.optional(z.nullable(connectionStatusSchema)),
});
export type AdditionalProperties = z.infer<typeof additionalPropertiesSchema>;

/** Values a message brings along for the agent. @source interface, "Message" */
export const messageContextSchema = z.looseObject({
  values: z.optional(z.nullable(z.array(z.unknown()))),
});

/**
 * A message, as sent with a run or posted to a thread's callback. The table says `content` is an array; services also
 * accept a plain string, and some clients send one.
 * @source interface, "Message (request object)"
 */
export const messageSchema = z.looseObject({
  role: z.optional(z.nullable(z.string())),
  content: z.optional(z.nullable(z.union([z.array(contentItemSchema), z.string()]))),
  mentions: z.optional(z.nullable(z.array(mentionSchema))),
  document_ids: z.optional(z.nullable(z.array(lenientUuid))),
  parent_message_id: z.optional(z.nullable(lenientUuid)),
  additional_properties: z.optional(z.nullable(additionalPropertiesSchema)),
  assistant_id: z.optional(z.nullable(lenientUuid)),
  context: z.optional(z.nullable(messageContextSchema)),
  step_history: z.optional(z.nullable(z.array(z.looseObject({})))),
  message_state: z.optional(z.nullable(z.looseObject({}))),
});
export type Message = z.infer<typeof messageSchema>;

/** A message as a service keeps and returns it. @assumed the interface shows no stored form */
export const storedMessageSchema = z.extend(messageSchema, {
  id: z.string(),
  thread_id: z.optional(z.string()),
  run_id: z.optional(z.nullable(z.string())),
  created_on: z.optional(z.string()),
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;
