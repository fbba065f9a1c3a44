import type { ConversationItem, ConversationMessage, ItemAnswer, Run } from '../conversation/index.ts';
import { asObject, nonEmptyString } from '../conversation/read-values.ts';
import type { ContentItem, Message } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import { withDefaults } from './run-request.ts';
import type { SessionContext } from './session-context.ts';
import type { OutgoingMessage } from './session-settings.ts';

// only an answer to an item asks for it, so it loads with this part
export { wasRefused } from '../conversation/run-status.ts';

/** Fields that identify a form to the agent. They are sent back unchanged. */
const echoedFields = ['sub_type', 'event_type', 'dps_payload_id'];

/**
 * Creates the message that answers an item: the submission or cancellation of a form, or the text of a chosen option.
 * Its parent is the question. A choice made after later turns has none: services would take it for an edit, and hide
 * the turns in between.
 * @param options.message fields that override the created ones
 * @source wire, section 7
 */
export function createAnswerMessage(
  { store }: SessionContext,
  options: {
    readonly asked: ConversationMessage;
    readonly item: ConversationItem;
    readonly answer: ItemAnswer;
    readonly message: Partial<Message> | undefined;
  },
): OutgoingMessage {
  const { asked, item, answer } = options;
  const { messages, runs } = store.conversation;
  const { parent_message_id: named, ...message } = options.message ?? {};
  const isChoice = answer.action === 'choose';
  const fields = isChoice ? choiceAnswer(answer.data) : formAnswer(item, answer.action, answer.data);
  const later = messages.slice(messages.findIndex(({ id }) => id === asked.id) + 1);
  const isLate = later.some(({ role, superseded }) => role === 'user' && !superseded);
  const isAside = !isChoice && isStillOpen(runs.find(({ id }) => id === asked.runKey));
  return {
    content: fields.content ?? [],
    parentMessageId: isChoice && isLate ? undefined : (asked.messageId ?? nonEmptyString(named)),
    message: withDefaults(isAside ? unshown(fields) : fields, message),
  };
}

/** Where an answer is posted: a form's to the thread's callback, if the settings say so. */
export function routeOf({ action }: ItemAnswer, { store, settings }: SessionContext): Run['route'] {
  const isCallback = action !== 'choose' && settings().formSubmit === 'callback';
  return isCallback && store.conversation.threadId !== undefined ? 'callback' : 'run';
}

/** Whether the stream of a run that asks is still open: the run continues after the answer, below its own question. */
function isStillOpen(run: Run | undefined): boolean {
  return run !== undefined && run.needsReply && run.endedAt === undefined && !run.done;
}

/** A message that the transcript leaves out: the form itself shows the answer, and nothing is answered to it. */
function unshown(message: Partial<Message>): Partial<Message> {
  const { display_properties: display, ...properties } = message.additional_properties ?? {};
  return {
    ...message,
    additional_properties: { ...properties, display_properties: { ...display, skip_render: true } },
  };
}

/**
 * The message that submits or cancels a form. `form_data` is always an object: a string, number or list is sent as
 * `{"value": …}`, absent data as `{}`.
 * @assumed the wrapping; the interface says only that `form_data` is an object
 */
export function formAnswer(
  { id, source }: ConversationItem,
  action: 'submit' | 'cancel',
  data: unknown,
): Partial<Message> {
  const echoed = echoedFields.flatMap((key) => (source[key] == null ? [] : [[key, source[key]]]));
  const operation: ContentItem = {
    response_type: 'form_operation',
    id: nonEmptyString(source.id) ?? id,
    form_operation: action,
    form_data: isObject(data) ? data : data === undefined ? {} : { value: data },
    ...Object.fromEntries(echoed),
  };
  return {
    content: [operation],
    additional_properties: { display_properties: { form_operation: action } },
  };
}

/**
 * The message for an answer in text.
 * @param value sent to the agent
 * @param label shown to the visitor; ignored when empty
 */
export function textAnswer(value: string, label: string): Partial<Message> {
  return {
    content: [{ response_type: 'text', text: value }],
    ...(label && label !== value ? { message_state: { input: { display_text: label } } } : {}),
  };
}

function choiceAnswer(data: unknown): Partial<Message> {
  if (!isObject(data)) return textAnswer(nonEmptyString(data) ?? '', '');
  const label = nonEmptyString(data['label']) ?? '';
  const value = data['value'];
  const words =
    nonEmptyString(value) ??
    nonEmptyString(asObject(asObject(value)['input'])['text']) ??
    nonEmptyString(data['text']) ??
    label;
  return textAnswer(words, label);
}
