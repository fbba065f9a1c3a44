import * as z from 'zod/mini';
import { toolApproval, type ContentItem, type RunRequest, type StoredMessage } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import { decisionPrefix, resultPrefix } from './agui-events.ts';

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

/** Key in a message's additional properties: ids of the AG-UI messages that it consists of. */
const messageIds = 'agui_message_ids';

/**
 * Converts the input of an AG-UI run to a run request, without thread and agent. The history is ours: of the messages,
 * only those after the last answer are new, and of these, those that no earlier run contained. `undefined`: there is
 * nothing new.
 * @param sent ids of the messages of earlier runs, as `sentMessages` returns them
 */
export function toRunRequest(
  input: AguiInput,
  sent: ReadonlySet<string>,
): Omit<RunRequest, 'thread_id' | 'agent_id'> | undefined {
  const resume = (input.resume ?? []).map(toAnswer);
  const added = addedMessages(input);
  const unsent = added.filter(({ id }) => typeof id !== 'string' || !sent.has(id));
  // the last message once more, without anything new, asks for another answer to it
  const isRepeated = unsent.length === 0 && resume.length === 0;
  const messages = isRepeated ? added.slice(-1) : unsent;
  const words = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
  const content: ContentItem[] = [
    ...resume,
    ...messages.filter(({ role }) => role === 'tool').map(toResult),
    ...words.filter((text) => text !== '').map((text) => ({ response_type: 'text', text })),
  ];
  if (content.length === 0) return undefined;
  const tools = (input.tools ?? []).map(toPageTool);
  const forwarded = isObject(input.forwardedProps) ? input.forwardedProps : {};
  const known = (input.context ?? []).map(({ description, value }) => [String(description), value] as const);
  const ids = messages.map(({ id }) => id).filter((id) => typeof id === 'string');
  const properties = { client_message_id: input.runId, [messageIds]: ids };
  return {
    message: { role: 'user', content, additional_properties: properties },
    additional_parameters: { ...forwarded, ...(tools.length > 0 ? { page_tools: tools } : {}) },
    ...(known.length > 0 ? { context_variables: Object.fromEntries(known) } : {}),
  } as Omit<RunRequest, 'thread_id' | 'agent_id'>;
}

/** Whether earlier runs may contain some of the messages: an answer without text, or a failure, leaves no message. */
export function mayRepeat(input: AguiInput): boolean {
  return addedMessages(input).length + (input.resume ?? []).length > 1;
}

/** Returns the ids of the AG-UI messages in the stored messages of a thread. Those of the run itself are not sent yet. */
export function sentMessages(thread: readonly StoredMessage[], { runId }: AguiInput): ReadonlySet<string> {
  const others = thread.filter(
    ({ additional_properties: properties }) => properties?.['client_message_id'] !== runId,
  );
  return new Set(
    others.flatMap(({ additional_properties: properties }) => {
      const ids = properties?.[messageIds];
      return Array.isArray(ids) ? ids.map(String) : [];
    }),
  );
}

/** The visitor's messages and the results of the front end's tools after the last answer. */
function addedMessages(input: AguiInput): readonly Fields[] {
  const messages = input.messages ?? [];
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(answered + 1)
    .filter(({ role, id }) => role === 'user' || (role === 'tool' && !String(id).startsWith(resultPrefix)));
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
  const interrupt = String(interruptId);
  const isDecision = interrupt.startsWith(decisionPrefix);
  const id = isDecision ? interrupt.slice(decisionPrefix.length) : interrupt;
  const answer = { response_type: 'form_operation', id, ...(isDecision ? { sub_type: toolApproval } : {}) };
  const reply = isObject(payload) ? payload : { answer: payload };
  if (status !== 'resolved' || (isDecision && reply['approved'] !== true)) {
    const { reason } = reply;
    return { ...answer, form_operation: 'cancel', ...(typeof reason === 'string' ? { reason } : {}) };
  }
  if (!isDecision) return { ...answer, form_operation: 'submit', form_data: { ...reply } };
  const edited = isObject(reply['editedArgs']) ? { form_data: reply['editedArgs'] } : {};
  return { ...answer, form_operation: 'submit', ...edited };
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
