import * as z from 'zod/mini';
import { contentItemSchema } from './content-item.ts';
import { lenientUuid } from './string-formats.ts';

/** A person or thing mentioned in a message. @source interface, "Mention" */
export const mentionSchema = z.looseObject({
  type: z.optional(z.nullable(z.string())),
  id: z.optional(z.nullable(lenientUuid)),
  name: z.optional(z.nullable(z.string())),
});
export type Mention = z.infer<typeof mentionSchema>;

/** How to display a message. @source interface, "Additional properties" */
export const displayPropertiesSchema = z.looseObject({
  skip_render: z.optional(z.nullable(z.boolean())),
  is_async: z.optional(z.nullable(z.boolean())),
  form_operation: z.optional(z.nullable(z.string())),
});
export type DisplayProperties = z.infer<typeof displayPropertiesSchema>;

/** State of a connected app, reported by the agent. @source interface, "Additional properties" */
export const connectionStatusSchema = z.looseObject({
  connection_status: z.optional(z.nullable(z.string())),
  connection_message: z.optional(z.nullable(z.string())),
});
export type ConnectionStatus = z.infer<typeof connectionStatusSchema>;

/**
 * Who wrote a message, in `additional_properties.author` of every stored message: a visitor (`id`: the subject of the
 * token), an agent, a server with an API key, or a person for whom such a server speaks. Set by our service; only a
 * server can name a person.
 * @assumed the interface has no author
 */
export type MessageAuthor =
  | { readonly kind: 'visitor' | 'agent' | 'server'; readonly id: string }
  | {
      readonly kind: 'person';
      /** The name that visitors see. */
      readonly name: string;
      /** The server's own id of the person; `''` when it gave none. */
      readonly id: string;
      /** Id of the API key of the server. */
      readonly server: string;
    };

/**
 * Additional data of a message. The prefix `svc_` depends on the deployment: the client (`identifier-prefix.ts`)
 * and the service (`json-prefix.ts`) rename both keys at their boundary, so all other code uses `svc_`.
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

/** Context values of a message for the agent. @source interface, "Message" */
export const messageContextSchema = z.looseObject({
  values: z.optional(z.nullable(z.array(z.unknown()))),
});

/**
 * A message of a run or a callback. In the interface's table, `content` is an array; services also accept a
 * string, and some clients send one.
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

/** A stored message. @assumed the interface does not define the stored form */
export const storedMessageSchema = z.extend(messageSchema, {
  id: z.string(),
  thread_id: z.optional(z.string()),
  run_id: z.optional(z.nullable(z.string())),
  created_on: z.optional(z.string()),
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;
