import type { Feedback } from '../conversation/visitor-actions.ts';
import type { ItemAnswer } from '../conversation/conversation.ts';
import type { Message } from '../protocol/index.ts';
import type { SendInput } from './index.ts';

/** An action of the visitor as plain data, so that another tab can perform it. */
export type SessionCommand =
  | { readonly kind: 'send'; readonly input: SendInput }
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
