import type { AdditionalProperties, ContentItem, Mention, RunEvent } from '../protocol/index.ts';

/**
 * Status of a run. `submitted`: posted, no event yet. `waiting`: the agent asked the visitor something.
 * `interrupted`: the stream ended without a terminal event, which never counts as success.
 */
export type RunStatus =
  | 'idle'
  | 'submitted'
  | 'streaming'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'interrupted';

/** Status of a run that has ended, with or without success. */
export type EndedRunStatus = Exclude<RunStatus, 'idle' | 'submitted' | 'streaming'>;

/** Status of a message. `queued`: waits for the previous run. `rejected`: the service rejected it. */
export type MessageStatus = 'queued' | 'sending' | 'sent' | 'rejected' | 'streaming' | 'complete';

/** A content item with an id that is unique in its message. */
export interface ConversationItem {
  /** The service's item id, or one derived from its index. Never changes. */
  readonly id: string;
  /** The response type. Default `text` for an item with text, `form` for one with a schema. */
  readonly type: string;
  /** Text of a text item (Markdown); `''` for other types. */
  readonly text: string;
  /** The unchanged item of the service, unknown keys included. */
  readonly source: ContentItem;
}

/** One message as a visitor sees it. */
export interface ConversationMessage {
  /** Local id. Never changes, also when the service's id becomes known. */
  readonly id: string;
  /** The service's id, once known; sent as `parent_message_id`. */
  readonly messageId: string | undefined;
  /** `user`, `assistant`, or another role of the service. */
  readonly role: string;
  readonly items: readonly ConversationItem[];
  readonly status: MessageStatus;
  /** The run it belongs to (`Run.id`); undefined for a callback message. */
  readonly runKey: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly parentMessageId: string | undefined;
  /** What to show instead of the content (`message_state.input.display_text`). */
  readonly displayText: string | undefined;
  /** `skip_render`: part of the conversation, but not shown. */
  readonly hidden: boolean;
  /** `is_async`: an interim notice; the answer follows. */
  readonly interim: boolean;
  /** Steps that the message itself contains (`step_history`, `tool_calls`, `svc_message`). */
  readonly steps: readonly RunStep[];
  readonly connection: { readonly status: string; readonly message: string } | undefined;
  readonly mentions: readonly Mention[];
  readonly documentIds: readonly string[];
  readonly additionalProperties: AdditionalProperties | undefined;
  /** Free state of the message, feedback included. */
  readonly messageState: Readonly<Record<string, unknown>> | undefined;
  /** Answers to this message's forms and options, by item id. An answered item is read-only. */
  readonly answers: Readonly<Record<string, ItemAnswer>>;
  /** Transcript of the visitor's speech, and whether it is final. */
  readonly transcription: { readonly text: string; readonly final: boolean } | undefined;
  /** UUID by which the service recognizes a resend; only on the visitor's messages. */
  readonly clientMessageId: string | undefined;
  /** `clientMessageId`s of the turns that a retry of this message replaced; the service still stores those turns. */
  readonly replacedClientMessageIds?: readonly string[] | undefined;
  /** Other fields to send with the message, such as `context` and `assistant_id`. */
  readonly extras: Readonly<Record<string, unknown>> | undefined;
  /** Replaced by an edit or a regeneration: kept, but not shown. */
  readonly superseded: boolean;
}

/** A visitor's answer to a form or an option. */
export interface ItemAnswer {
  readonly action: 'submit' | 'cancel' | 'choose';
  readonly data: unknown;
}

/** A tool call with its response, or another step of the agent. */
export interface RunStep {
  /** Id of the call or the step, or one derived from its index. */
  readonly id: string;
  readonly kind: 'tool' | 'step' | 'plan' | 'note';
  /** Name of the tool or the step, as the service sends it; `''` when there is none. */
  readonly name: string;
  readonly agentName: string | undefined;
  /** `pending`: planned, not started. `stopped`: ended with its run. */
  readonly status: 'pending' | 'active' | 'done' | 'failed' | 'stopped';
  /** Arguments of the call as the service sent them: an object, a string or undefined. */
  readonly input: unknown;
  /** The complete result as text; the view shortens it. */
  readonly output: string | undefined;
  readonly error: string | undefined;
  /** Id of the enclosing step, if any. */
  readonly parentId: string | undefined;
}

/** Why a run failed. */
export interface RunFailure {
  /** Decides which text the visitor sees. */
  readonly kind:
    | 'run'
    | 'expired'
    | 'interrupted'
    | 'network'
    | 'timeout'
    | 'auth'
    | 'token'
    | 'forbidden'
    | 'not-found'
    | 'too-large'
    | 'invalid'
    | 'rate-limit'
    | 'busy'
    | 'server'
    | 'format'
    | 'guardrail';
  /** The error text of the service or the client, for developers; shown only with `preview`. `''`: none. */
  readonly reason: string;
  /** Whether the agent's author wrote `reason` for the visitor. */
  readonly forVisitor?: boolean | undefined;
  /** Whether a retry can succeed. */
  readonly retryable: boolean;
  /** Seconds to wait before a retry (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** Status code of the error response. */
  readonly status?: number | undefined;
  /** URL of the request, without query. */
  readonly url?: string | undefined;
  /** Id of the request, from a response header. */
  readonly requestId?: string | undefined;
}

/** Record of applied events, to recognize repeated ones. Bounded; cleared when the next run starts. */
export interface AppliedEvents {
  readonly recent: readonly RunEvent[];
  /** Events with ascending ids up to this one count as applied. */
  readonly floor: string | undefined;
  /** Whether the service gives several events the same id, so that ids do not identify events. */
  readonly ambiguous: boolean;
}

/** One execution of the agent, as far as its events describe it. */
export interface Run {
  /** `ConversationMessage.id` of the visitor's message that it answers; the client's key for the run. */
  readonly id: string;
  /** The service's id, once known. */
  readonly runId: string | undefined;
  readonly agentId: string | undefined;
  /** How the prompt is sent: as a run, or to the thread's callback. */
  readonly route: 'run' | 'callback';
  readonly status: RunStatus;
  readonly steps: readonly RunStep[];
  /** Reasoning text so far. */
  readonly thinking: string;
  /** Number of rows of plan and steps that came before the reasoning. */
  readonly thinkingAt?: number | undefined;
  readonly plan: readonly RunStep[];
  readonly summary: string;
  /** Status line while the run works; `key` for its translation, if the service sends one. */
  readonly statusLine:
    | { readonly key: string | undefined; readonly text: string; readonly agentName: string | undefined }
    | undefined;
  readonly failure: RunFailure | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Id of the last event, to resume after it. */
  readonly lastEventId: string | undefined;
  /** True from `message.interrupt` or `flow.slot.listen` until the visitor answers. */
  readonly needsReply: boolean;
  /** Whether the `done` event arrived. */
  readonly done: boolean;
  /** Whether the run was stopped here without confirmation by the service: the agent may continue. */
  readonly stopUnconfirmed: boolean;
  /** `ConversationMessage.id` that a delta without an id belongs to. */
  readonly openMessageId: string | undefined;
  /** Items that arrived after the complete message and repeat a part of it: not shown. */
  readonly unplacedItems?: readonly ConversationItem[] | undefined;
  /** Which events were applied, so that a repeated event changes nothing. */
  readonly applied: AppliedEvents;
}

/** The state of one thread in this client. Immutable plain data. */
export interface Conversation {
  readonly threadId: string | undefined;
  readonly messages: readonly ConversationMessage[];
  readonly runs: readonly Run[];
  /** `context` of the last `run.completed`; sent with the next run. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
  /** Feedback by item id that the next message carries; removed when it is sent. */
  readonly feedback?: Readonly<Record<string, unknown>> | undefined;
}

/** A conversation without messages. */
export const emptyConversation: Conversation = {
  threadId: undefined,
  messages: [],
  runs: [],
  context: undefined,
};
