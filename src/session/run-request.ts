import type { Conversation, ConversationMessage } from '../conversation/index.ts';
import type { Fields } from '../conversation/read-values.ts';
import type { Message, RunRequest } from '../protocol/index.ts';
import { isObject, present } from '../protocol/json.ts';
import type { SessionSettings } from './session-settings.ts';

/** Builds a turn's request from the visitor's message, the host's settings, and the thread. */
export function buildRunRequest(
  conversation: Conversation,
  prompt: ConversationMessage,
  settings: SessionSettings,
): RunRequest {
  const context =
    conversation.context || settings.context ? { ...conversation.context, ...settings.context } : undefined;
  return {
    message: buildMessage(prompt, settings),
    ...present({
      thread_id: conversation.threadId,
      llm_params: settings.llmParams,
      guardrails: settings.guardrails,
      context,
      agent_id: settings.agentId,
      additional_parameters: settings.additionalParameters,
      environment_id: settings.environmentId,
      version: settings.version,
      context_variables: settings.contextVariables,
    }),
  };
}

/**
 * Builds the message of a turn or a callback on top of the host's defaults. A resend keeps its `client_message_id`.
 * @assumed the interface has no `client_message_id`; we put it into `additional_properties`
 */
export function buildMessage(prompt: ConversationMessage, settings: SessionSettings): Message {
  const displayed =
    prompt.displayText === undefined ? undefined : { input: { display_text: prompt.displayText } };
  const hidden = prompt.hidden ? { display_properties: { skip_render: true } } : undefined;
  return withDefaults(settings.messageDefaults, {
    ...prompt.extras,
    role: prompt.role,
    content: prompt.items.map((item) => item.source),
    ...present({
      mentions: prompt.mentions.length > 0 ? [...prompt.mentions] : undefined,
      document_ids: prompt.documentIds.length > 0 ? [...prompt.documentIds] : undefined,
      parent_message_id: prompt.parentMessageId,
      additional_properties: merged(
        hidden,
        prompt.additionalProperties,
        prompt.clientMessageId === undefined ? undefined : { client_message_id: prompt.clientMessageId },
      ),
      message_state: merged(prompt.messageState, displayed),
    }),
  });
}

/** Merges a message into the host's defaults, nested objects included. */
export function withDefaults(defaults: Partial<Message> | undefined, message: Partial<Message>): Message {
  return {
    ...defaults,
    ...message,
    ...present({
      additional_properties: merged(defaults?.additional_properties, message.additional_properties),
      message_state: merged(defaults?.message_state, message.message_state),
    }),
  };
}

/** Merges objects deeply, later ones win; undefined when there is none. */
export function merged(...layers: readonly unknown[]): Record<string, unknown> | undefined {
  const found = layers.filter(isObject);
  return found.length === 0 ? undefined : found.reduce<Record<string, unknown>>(layer, {});
}

function layer(under: Fields, over: Fields): Record<string, unknown> {
  const changes = Object.entries(present(over)).map(([key, value]): [string, unknown] => {
    const below = under[key];
    return [key, isObject(value) && isObject(below) ? layer(below, value) : value];
  });
  return Object.fromEntries([...Object.entries(under), ...changes]);
}
