import { readItems } from '../../conversation/items.ts';
import type { ChatSession } from '../../session/index.ts';
import { promptOfTurn } from '../../session/replacement.ts';
import { buildMessage } from '../../session/run-request.ts';
import type { SessionController } from './session-controller.ts';
import type { TurnReplacement } from '../events/panel-request.ts';
import type { SubmitGate } from './submit-gate.ts';

/**
 * Regenerates or edits a turn. First dispatches `agent-chat-message-submit`, which the page can delay or cancel. If
 * newer messages arrived meanwhile, an edit is sent as a new message and a regeneration is dropped.
 */
export async function replaceTurn(
  { messageId, text, onRejected }: TurnReplacement,
  session: ChatSession,
  gate: SubmitGate,
  controller: SessionController,
): Promise<void> {
  const prompt = promptOfTurn(session.conversation, messageId);
  if (!prompt) return onRejected?.();
  const changed = text === undefined ? {} : { items: readItems(text), displayText: undefined };
  // the session gives it an id and a parent
  const replacement = { ...prompt, ...changed, parentMessageId: undefined, clientMessageId: undefined };
  const message = await gate.pass(buildMessage(replacement, {}), { isShown: text !== undefined, onRejected });
  if (!message) return;
  const last = session.conversation.messages.findLast(
    ({ role, superseded }) => role === 'user' && !superseded,
  );
  if (last?.id === prompt.id) await controller.perform({ kind: 'edit', messageId: prompt.id, message });
  else if (text !== undefined)
    await controller.perform({ kind: 'send', input: { content: message.content ?? [], message } });
}
