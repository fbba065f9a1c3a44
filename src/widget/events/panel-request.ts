import type { Feedback } from '../../conversation/index.ts';
import type { Mention } from '../../protocol/index.ts';

/** What goes with words that are sent. */
export interface SendOptions {
  /** Sent, but not shown. */
  readonly silent?: boolean;
  readonly mentions?: readonly Mention[];
  readonly documentIds?: readonly string[];
  /** The page does not let it go: what was written is the visitor's again. */
  readonly onRejected?: () => void;
}

/** A turn to send again, named by any of its messages. */
export interface TurnReplacement {
  readonly messageId: string;
  /** The new words; the same as before by default. */
  readonly text?: string;
  /** Called when the page rejects the message: its text goes back to the visitor. */
  readonly onRejected?: () => void;
}

/** What a component may ask for; the runtime answers. */
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
  | { readonly kind: 'close' }
  | { readonly kind: 'expand' };

/** Goes up from a component to the runtime, inside the widget only. */
export class PanelRequest extends Event {
  static readonly type = 'agent-chat-request';
  constructor(readonly request: Request) {
    super(PanelRequest.type, { bubbles: true, composed: true });
  }
}

/** Each kind of request with what answers it; a forgotten kind does not compile. */
export type RequestHandlers = {
  readonly [Kind in Request['kind']]: (request: Extract<Request, { kind: Kind }>) => void;
};
