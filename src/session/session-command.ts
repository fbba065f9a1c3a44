import type { Feedback } from '../conversation/visitor-actions.ts';
import type { ItemAnswer } from '../conversation/conversation.ts';
import type { Message } from '../protocol/index.ts';
import type { ChatSession } from './chat-session.ts';
import type { OutgoingMessage } from './session-settings.ts';

/** An action of the visitor as plain data, so that another tab can perform it. */
export type SessionCommand =
  | { readonly kind: 'send'; readonly input: OutgoingMessage }
  | { readonly kind: 'stop' }
  | { readonly kind: 'retry'; readonly runKey: string | undefined }
  | { readonly kind: 'edit'; readonly messageId: string; readonly message: Message }
  | { readonly kind: 'feedback'; readonly messageId: string; readonly feedback: Feedback }
  | { readonly kind: 'remove-queued'; readonly messageId: string }
  | { readonly kind: 'thread'; readonly threadId: string | undefined }
  | {
      readonly kind: 'answer';
      readonly messageId: string;
      readonly itemId: string;
      readonly answer: ItemAnswer;
      readonly message: Partial<Message> | undefined;
    };

/** Performs a command. Resolves when the session's method does. */
export async function performCommand(session: ChatSession, command: SessionCommand): Promise<void> {
  switch (command.kind) {
    case 'send':
      return session.send(command.input);
    case 'stop':
      return session.stop();
    case 'retry':
      return session.retry(command.runKey);
    case 'edit':
      return session.edit(command.messageId, command.message);
    case 'feedback':
      return session.feedback(command.messageId, undefined, command.feedback);
    case 'remove-queued':
      return session.removeQueued(command.messageId);
    case 'answer':
      return session.answer(command.messageId, command.itemId, command.answer, command.message);
    case 'thread':
      return session.setThread(command.threadId);
  }
}
