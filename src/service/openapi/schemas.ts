import * as z from 'zod/mini';
import {
  additionalPropertiesSchema,
  connectionStatusSchema,
  contentItemSchema,
  displayPropertiesSchema,
  embeddedChatConfigResponseSchema,
  embeddedChatConfigSchema,
  formPropertiesSchema,
  guardrailSchema,
  guardrailSideSchema,
  guardrailsSchema,
  layoutFormSchema,
  layoutSchema,
  lengthPenaltySchema,
  llmParamsSchema,
  mentionSchema,
  messageContextSchema,
  messageSchema,
  notificationSchema,
  responseTypes,
  returnOptionsSchema,
  runEventKinds,
  runEventSchema,
  runRequestSchema,
  storedMessageSchema,
  listedThreadSchema,
  threadChangeSchema,
  threadListSchema,
  validationErrorSchema,
  validationProblemSchema,
} from '../../protocol/index.ts';
import { aguiInputSchema } from '../facades/agui-input.ts';

const content = z.union([z.array(contentItemSchema), z.string()]);

/** A message as this service accepts it: `content` is required. */
const sentMessageSchema = z.extend(messageSchema, { content });
const runBodySchema = z.extend(runRequestSchema, { message: sentMessageSchema });
const cancelledRunSchema = z.object({ run_id: z.string(), thread_id: z.string(), status: z.string() });
const messageListSchema = z.object({ messages: z.array(storedMessageSchema) });
const notificationListSchema = z.object({ notifications: z.array(notificationSchema) });
const usageFields = { runs: z.number(), input_tokens: z.number(), output_tokens: z.number() };
const runExportSchema = z.looseObject({
  id: z.string(),
  agent_id: z.string(),
  status: z.string(),
  created_on: z.string(),
  ended_on: z.nullable(z.string()),
  events: z.array(runEventSchema),
});
const threadExportSchema = z.looseObject({
  id: z.string(),
  agent_id: z.string(),
  title: z.nullable(z.string()),
  archived: z.boolean(),
  created_on: z.string(),
  updated_on: z.string(),
  messages: z.array(storedMessageSchema),
  notifications: z.array(notificationSchema),
  runs: z.array(runExportSchema),
  decisions: z.array(z.looseObject({})),
});
const subjectExportSchema = z.object({
  subject: z.string(),
  tenant_id: z.string(),
  exported_on: z.string(),
  usage: z.array(z.object({ day: z.string(), ...usageFields })),
  threads: z.array(threadExportSchema),
});
const subjectErasureSchema = z.object({
  subject: z.string(),
  threads: z.number(),
  messages: z.number(),
  runs: z.number(),
  notifications: z.number(),
  decisions: z.number(),
});
const aguiEventSchema = z.looseObject({ type: z.string() });
const healthSchema = z.object({ status: z.string() });

/** All schemas of the document by name. */
const namedSchemas = {
  ContentItem: contentItemSchema,
  Mention: mentionSchema,
  DisplayProperties: displayPropertiesSchema,
  ConnectionStatus: connectionStatusSchema,
  AdditionalProperties: additionalPropertiesSchema,
  MessageContext: messageContextSchema,
  Message: sentMessageSchema,
  StoredMessage: storedMessageSchema,
  LengthPenalty: lengthPenaltySchema,
  ReturnOptions: returnOptionsSchema,
  LlmParams: llmParamsSchema,
  GuardrailSide: guardrailSideSchema,
  Guardrail: guardrailSchema,
  Guardrails: guardrailsSchema,
  RunRequest: runBodySchema,
  RunEvent: runEventSchema,
  FormProperties: formPropertiesSchema,
  LayoutForm: layoutFormSchema,
  Layout: layoutSchema,
  EmbeddedChatConfig: embeddedChatConfigSchema,
  EmbeddedChatConfigResponse: embeddedChatConfigResponseSchema,
  Notification: notificationSchema,
  ValidationProblem: validationProblemSchema,
  ValidationError: validationErrorSchema,
  CancelledRun: cancelledRunSchema,
  MessageList: messageListSchema,
  NotificationList: notificationListSchema,
  ListedThread: listedThreadSchema,
  ThreadList: threadListSchema,
  ThreadChange: threadChangeSchema,
  RunExport: runExportSchema,
  ThreadExport: threadExportSchema,
  SubjectExport: subjectExportSchema,
  SubjectErasure: subjectErasureSchema,
  AguiRunInput: aguiInputSchema,
  AguiEvent: aguiEventSchema,
  Health: healthSchema,
} as const;

/** The name of a schema in the document. */
export type SchemaName = keyof typeof namedSchemas;

/** Converts the schemas to OpenAPI 3.1 (JSON Schema), with references between them. */
export function componentSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(namedSchemas)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [
      name,
      withKnownValues(name, schema),
    ]),
  );
}

/** Open strings of a schema that has them, with the values that are known. */
const knownValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  RunEvent: { event: runEventKinds },
  ContentItem: { response_type: responseTypes },
};

function withKnownValues(name: string, schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = Object.entries(knownValues[name] ?? {}).map(([field, examples]) => [
    field,
    { ...(schema['properties'] as Record<string, object>)[field], examples }, // a field of that schema
  ]);
  return properties.length === 0
    ? schema
    : {
        ...schema,
        properties: { ...(schema['properties'] as object), ...Object.fromEntries(properties) }, // as above
      };
}
