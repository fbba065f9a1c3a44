import type { ContentItem } from '../../protocol/index.ts';
import { isObject, toJson } from '../../protocol/json.ts';
import type { Conversation, ConversationItem, ConversationMessage, Run } from '../conversation.ts';
import { asObject, nonEmptyString, readText, type Fields } from '../read-values.ts';
import { personOf } from '../message-properties.ts';
import { isQuestion, readDecision } from '../tool-decision.ts';
import { turnsOf } from '../turns.ts';
import { answerTo } from '../visitor-actions.ts';
import { exportedMessages, failureFields, remarkOf, type ExportedMessage } from './exported-messages.ts';
import { withoutPasswords } from '../form-schema.ts';
import { dataMarkdown } from './data-to-markdown.ts';
import { decisionOf, itemMarkdown } from './item-to-markdown.ts';

/** How Markdown names the agent. */
export interface AgentLabel {
  readonly name: string;
  /** The mark that discloses an AI; `''` leaves it out. */
  readonly mark: string;
}

/**
 * Exports a conversation: `markdown` for people, `json` as one document, `jsonl` with one message per line. Leaves out
 * hidden and superseded messages, and masks passwords. In both JSON formats, `author` says who wrote each message, and
 * `status` whether it was sent or how its run ended. Markdown has a line for this below each incomplete message.
 * @throws TypeError for any other format
 */
export function exportTranscript(
  conversation: Conversation,
  format: 'markdown' | 'json' | 'jsonl',
  agent: AgentLabel = { name: 'Assistant', mark: 'AI' },
): string {
  if (!['markdown', 'json', 'jsonl'].includes(format))
    throw new TypeError('exportTranscript takes markdown, json or jsonl');
  // as shown: answers follow their question, also when the service stored another turn in between
  const messages = exportedMessages(turnsOf(withOutcomes(conversation), []));
  const all = messages.map(({ message }) => message);
  const data = (message: ExportedMessage): unknown => asData(message, all);
  if (format === 'json') return toJson({ thread_id: conversation.threadId, messages: messages.map(data) }, 2);
  if (format === 'jsonl') return messages.map((message) => `${toJson(data(message))}\n`).join('');
  return messages.map((message) => asMarkdown(message, agent)).join('\n---\n\n');
}

/** Adds to questions what hidden messages say: the visitor's reason to decline, and the result of a page's tool. */
function withOutcomes(conversation: Conversation): Conversation {
  const told = conversation.messages.filter(({ role }) => role === 'user').flatMap(({ items }) => items);
  const results = told.map(pageFields).filter(({ type }) => type === 'page_tool_result');
  const messages = conversation.messages.map((message): ConversationMessage => {
    const items = message.items.map((item): ConversationItem => {
      const { type, id } = pageFields(item);
      const result = type === 'page_tool_call' && results.find((one) => one['id'] === id);
      if (result) {
        const { content, error } = result;
        return { ...item, source: { ...item.source, result: error === undefined ? { content } : { error } } };
      }
      const reason = isQuestion(item.source) && readDecision(conversation, message, item).reason;
      if (!reason) return item;
      return {
        ...item,
        source: { ...item.source, decision: { ...asObject(item.source['decision']), reason } },
      };
    });
    return { ...message, items };
  });
  return { ...conversation, messages };
}

function pageFields({ source }: ConversationItem): Fields {
  return asObject(source['user_defined']);
}

function asData(exported: ExportedMessage, all: readonly ConversationMessage[]): unknown {
  const { message, run, status, failure } = exported;
  const { messageId, role, createdAt, items, displayText } = message;
  const answers = Object.fromEntries(
    Object.entries(message.answers).map(([id, answer]) => {
      const form = items.find((item) => item.id === id)?.source ?? {};
      return [id, { ...answer, data: withoutPasswords(form, answer.data) }];
    }),
  );
  const feedback = role === 'user' ? undefined : feedbackOf(message);
  return {
    id: messageId,
    role,
    author: authorOf(message, run),
    created_on: timeOf(createdAt),
    ...(run?.runId === undefined ? {} : { run_id: run.runId }),
    status,
    ...(failure ? { failure: failureFields(failure) } : {}),
    text: displayText ?? joined(items, ({ text, source }) => text || readText(source['text'])),
    content: items.map((item) => sourceOf(item, message, all)),
    ...(Object.keys(answers).length > 0 ? { answers } : {}),
    ...(feedback === undefined ? {} : { feedback }),
  };
}

/** The visitor's last rating of an answer. */
function feedbackOf({ messageState }: ConversationMessage): Fields | undefined {
  return Object.values(asObject(messageState?.['content']))
    .map((item) => asObject(item)['feedback'])
    .filter(isObject)
    .at(-1);
}

/**
 * Who wrote a message: what the service stored, or else what its role says. `kind` is `visitor`, `agent` (a machine),
 * `person` (with a `name`), or `server` (another program). An agent has the `id` that its run names.
 */
function authorOf({ role, additionalProperties }: ConversationMessage, run: Run | undefined): Fields {
  const author = asObject(additionalProperties?.['author']);
  if (nonEmptyString(author['kind'])) return author;
  if (role === 'user') return { kind: 'visitor' };
  return { kind: 'agent', ...(run?.agentId === undefined ? {} : { id: run.agentId }) };
}

/**
 * Says with a question what was decided. Masks the passwords of a submission, by the schema of its form; without the
 * form, removes all data.
 */
function sourceOf(
  { id: itemId, type, source }: ConversationItem,
  message: ConversationMessage,
  all: readonly ConversationMessage[],
): ContentItem {
  const { role, parentMessageId } = message;
  if (source.sub_type === 'tool_approval' && role !== 'user')
    return { ...source, decision: decisionOf(source, answerTo(message, itemId)) };
  if (type !== 'form_operation' || role !== 'user') return source;
  const question = all.find(({ messageId }) => messageId !== undefined && messageId === parentMessageId);
  const id = nonEmptyString(source.id) ?? '';
  const form = question?.items.find((item) => (nonEmptyString(item.source.id) ?? item.id) === id);
  const answer = question && answerTo(question, form?.id ?? id);
  const { form_data: _, ...rest } = source;
  if (!answer) return rest;
  const data = withoutPasswords(form?.source ?? {}, answer.data);
  return { ...rest, form_data: isObject(data) ? { ...data } : { value: data } };
}

function asMarkdown(exported: ExportedMessage, agent: AgentLabel): string {
  const { message } = exported;
  const { role, createdAt, items, answers, displayText, connection } = message;
  const words = displayText ?? joined(items, (item) => readable(item, role, answers));
  const body = [words, connection?.message ?? '', remarkOf(exported)].filter(Boolean).join('\n\n');
  return `**${speakerOf(message, agent)}** · ${timeOf(createdAt)}\n\n${body}\n`;
}

/** Names who wrote a message. A server is not marked as a machine: it may pass on what people say. */
function speakerOf(message: ConversationMessage, { name, mark }: AgentLabel): string {
  const person = personOf(message);
  if (person) return person;
  if (message.role !== 'assistant') return message.role === 'user' ? 'Visitor' : message.role;
  const { kind } = asObject(message.additionalProperties?.['author']);
  return mark && kind !== 'server' ? `${name} (${mark})` : name;
}

function readable(item: ConversationItem, role: string, answers: ConversationMessage['answers']): string {
  const { type, source } = item;
  if (type === 'pause' || type === 'text') return withClosedCode(item.text);
  if (type !== 'form_operation') return itemMarkdown(item, { answers }) || inBrackets(source);
  // the visitor's data is exported with the form
  const data = role === 'user' ? '' : dataMarkdown(source['form_data'] ?? {}, { root: {}, schema: {} });
  return [inBrackets(source), data].filter(Boolean).join('\n\n');
}

/** Closes a code block in which an answer was cut: all that follows would be code, too. */
function withClosedCode(text: string): string {
  let open = '';
  for (const [, fence = '', rest = ''] of text.matchAll(/^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/gm)) {
    if (!open) open = fence;
    else if (fence.startsWith(open) && !rest.trim()) open = '';
  }
  return open ? `${text}\n${open}` : text;
}

function joined(items: readonly ConversationItem[], say: (item: ConversationItem) => string): string {
  return items.map(say).filter(Boolean).join('\n\n');
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A label for an item without text. */
function inBrackets({ response_type: type, form_operation: operation }: ContentItem): string {
  if (operation === 'submit') return '[Submitted]';
  if (operation === 'cancel') return '[Cancelled]';
  return `[${type ?? 'item'}]`;
}
