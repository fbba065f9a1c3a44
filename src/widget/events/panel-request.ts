import type { Feedback } from '../../conversation/index.ts';
import type { Mention } from '../../protocol/index.ts';

/** Options of a message to send. */
export interface SendOptions {
  /** Send without showing the message. */
  readonly silent?: boolean;
  readonly mentions?: readonly Mention[];
  readonly documentIds?: readonly string[];
  /** Called when the page cancels the message, so that the visitor gets the text back. */
  readonly onRejected?: () => void;
}

/** A turn to send again, identified by any of its messages. */
export interface TurnReplacement {
  readonly messageId: string;
  /** The new text. Default: the same text again. */
  readonly text?: string;
  /** Called when the page cancels the message, so that the visitor gets the text back. */
  readonly onRejected?: () => void;
}

/** What components can request from the runtime. */
export type Request =
  | ({ readonly kind: 'send'; readonly text: string } & SendOptions)
  | { readonly kind: 'stop' }
  | { readonly kind: 'retry'; readonly runKey: string | undefined }
  | { readonly kind: 'regenerate'; readonly messageId: string }
  | ({ readonly kind: 'edit'; readonly text: string } & TurnReplacement)
  | { readonly kind: 'remove-queued'; readonly messageId: string }
  | {
      readonly kind: 'feedback';
      readonly messageId: string;
      readonly feedback: Required<Feedback>;
    }
  | { readonly kind: 'draft'; readonly text: string }
  | { readonly kind: 'new-thread' }
  | { readonly kind: 'load-history' }
  | {
      readonly kind: 'sign-in';
      /** The run to repeat; `undefined`: the history. */
      readonly runKey: string | undefined;
      /** Called when the page signs the visitor in itself. Otherwise the request is repeated at once. */
      readonly onHandled: () => void;
    }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'expand' }
  | { readonly kind: 'threads' };

/** Carries a request from a component to the runtime, inside the widget only. */
export class PanelRequest extends Event {
  static readonly type = 'agent-chat-request';
  constructor(readonly request: Request) {
    super(PanelRequest.type, { bubbles: true, composed: true });
  }
}

/** A handler for each kind of request; a missing one does not compile. */
export type RequestHandlers = {
  readonly [Kind in Request['kind']]: (request: Extract<Request, { kind: Kind }>) => void;
};
