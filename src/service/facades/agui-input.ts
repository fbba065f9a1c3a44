import * as z from 'zod/mini';
import { toolApproval, type ContentItem, type RunRequest } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import { resultPrefix } from './agui-events.ts';

type Fields = Readonly<Record<string, unknown>>;

/** PostgreSQL has no texts with NUL. */
const idField = z
  .string()
  .check(z.minLength(1), z.maxLength(200), z.regex(/^[^\0]*$/, { error: 'must not contain NUL' }));
const optionalList = z.nullish(z.array(z.looseObject({})));

/** The input of an AG-UI run. Unknown members are ignored, as AG-UI requires. */
export const aguiInputSchema = z.looseObject({
  threadId: idField,
  runId: idField,
  messages: optionalList,
  tools: optionalList,
  context: optionalList,
  forwardedProps: z.optional(z.unknown()),
  resume: optionalList,
});
export type AguiInput = z.infer<typeof aguiInputSchema>;

/**
 * Converts the input of an AG-UI run to a run request, without thread and agent. The history is ours: of the messages,
 * only those after the last answer are new. `undefined`: there is nothing new.
 */
export function toRunRequest(input: AguiInput): Omit<RunRequest, 'thread_id' | 'agent_id'> | undefined {
  const messages = input.messages ?? [];
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const added = messages.slice(answered + 1);
  const words = added.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
  const content: ContentItem[] = [
    ...(input.resume ?? []).map(toAnswer),
    ...added.filter(({ role, id }) => role === 'tool' && !String(id).startsWith(resultPrefix)).map(toResult),
    ...words.filter((text) => text !== '').map((text) => ({ response_type: 'text', text })),
  ];
  if (content.length === 0) return undefined;
  const tools = (input.tools ?? []).map(toPageTool);
  const forwarded = isObject(input.forwardedProps) ? input.forwardedProps : {};
  const known = (input.context ?? []).map(({ description, value }) => [String(description), value] as const);
  return {
    message: { role: 'user', content, additional_properties: { client_message_id: input.runId } },
    additional_parameters: { ...forwarded, ...(tools.length > 0 ? { page_tools: tools } : {}) },
    ...(known.length > 0 ? { context_variables: Object.fromEntries(known) } : {}),
  } as Omit<RunRequest, 'thread_id' | 'agent_id'>;
}

/** Returns the ids of the tool calls that the client knows. */
export function knownCallsOf({ messages }: AguiInput): readonly string[] {
  return (messages ?? []).flatMap(({ toolCalls }) =>
    Array.isArray(toolCalls) ? toolCalls.filter(isObject).map(({ id }) => String(id)) : [],
  );
}

/** The text of a message: a string, or the text parts of a list. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n\n')
    .trim();
}

/** The answer to an interrupt, as a form's answer. */
function toAnswer({ interruptId, status, payload }: Fields): ContentItem {
  const answer = { response_type: 'form_operation', id: String(interruptId) };
  const reply = isObject(payload) ? payload : { answer: payload };
  const isDecision = typeof reply['approved'] === 'boolean';
  const isGiven = status === 'resolved' && reply['approved'] !== false;
  if (!isGiven) {
    const { reason } = reply;
    return { ...answer, form_operation: 'cancel', ...(typeof reason === 'string' ? { reason } : {}) };
  }
  if (!isDecision) return { ...answer, form_operation: 'submit', form_data: { ...reply } };
  const edited = isObject(reply['editedArgs']) ? { form_data: reply['editedArgs'] } : {};
  return { ...answer, sub_type: toolApproval, form_operation: 'submit', ...edited };
}

/** The result of a tool of the front end. */
function toResult({ toolCallId, content, error }: Fields): ContentItem {
  const result = { type: 'page_tool_result', id: String(toolCallId) };
  const user_defined =
    typeof error === 'string' ? { ...result, error } : { ...result, content: textOf(content) };
  return { response_type: 'user_defined', user_defined };
}

function toPageTool({ name, description, parameters }: Fields): Fields {
  return { name, title: name, description, input_schema: parameters ?? { type: 'object' }, read_only: false };
}
