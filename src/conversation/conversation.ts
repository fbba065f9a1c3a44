import type { AdditionalProperties, ContentItem, Mention, RunEvent } from '../protocol/index.ts';

/**
 * Where a run stands. `submitted`: posted, no event yet. `waiting`: the agent asked the visitor something.
 * `interrupted`: the stream broke off without an end, which is never success.
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

/** Where a message stands. `queued`: waits for the run before it. `rejected`: the service would not have it. */
export type MessageStatus = 'queued' | 'sending' | 'sent' | 'rejected' | 'streaming' | 'complete';

/** A content item with an identity of its own within its message. */
export interface ConversationItem {
  /** The wire's item id, or one derived from its place. Never changes while the item lives. */
  readonly id: string;
  /** `text` when the wire says nothing and there is text; `form` when there is a schema and no known type. */
  readonly type: string;
  /** Text of a text item (Markdown); `''` for other types. */
  readonly text: string;
  /** The whole item as it came, unknown keys included. */
  readonly source: ContentItem;
}

/** One message as a visitor sees it. */
export interface ConversationMessage {
  /** Stable for the life of the conversation, also when the wire's id becomes known. */
  readonly id: string;
  /** The service's id for it, once known; goes out as `parent_message_id`. */
  readonly messageId: string | undefined;
  /** `user`, `assistant`, or whatever the wire said. */
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
  /** `skip_render`: never shown, still part of the truth. */
  readonly hidden: boolean;
  /** `is_async`: an interim notice; the real answer comes later. */
  readonly interim: boolean;
  /** Steps the message itself tells of (`step_history`, `tool_calls`, `svc_message`). */
  readonly steps: readonly RunStep[];
  readonly connection: { readonly status: string; readonly message: string } | undefined;
  readonly mentions: readonly Mention[];
  readonly documentIds: readonly string[];
  readonly additionalProperties: AdditionalProperties | undefined;
  /** Free state of the message, feedback included. */
  readonly messageState: Readonly<Record<string, unknown>> | undefined;
  /** Answers given to this message's forms and options, by item id. What was answered is read-only. */
  readonly answers: Readonly<Record<string, ItemAnswer>>;
  /** Spoken words of the visitor, and whether they are final. */
  readonly transcription: { readonly text: string; readonly final: boolean } | undefined;
  /** The uuid that makes a resend the same turn (visitor's messages only). */
  readonly clientMessageId: string | undefined;
  /** Fields of the message beyond the ones above that go out with it (`context`, `assistant_id`, …). */
  readonly extras: Readonly<Record<string, unknown>> | undefined;
  /** Superseded by an edit or a regeneration: kept, not shown. */
  readonly superseded: boolean;
}

/** What a visitor answered to a form or an option. */
export interface ItemAnswer {
  readonly action: 'submit' | 'cancel' | 'choose';
  readonly data: unknown;
}

/** A tool call, its response, or another thing the agent did on its way. */
export interface RunStep {
  /** The call id, the step id, or one derived from its place. */
  readonly id: string;
  readonly kind: 'tool' | 'step' | 'plan' | 'note';
  /** Name of the tool or the step, as the wire has it; `''` when it has none. */
  readonly name: string;
  readonly agentName: string | undefined;
  /** `pending`: planned, not begun. `stopped`: cut short with its run. */
  readonly status: 'pending' | 'active' | 'done' | 'failed' | 'stopped';
  /** Arguments of the call: object, string or undefined, as they came. */
  readonly input: unknown;
  /** What came back: text, or undefined. Size-limited when shown, whole here. */
  readonly output: string | undefined;
  readonly error: string | undefined;
  /** Id of the step it happened in, when the wire told of one. */
  readonly parentId: string | undefined;
}

/** Why a run ended badly, in the service's or the client's words. */
export interface RunFailure {
  /** What kind of fault: decides the words a visitor reads. */
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
    | 'server'
    | 'format'
    | 'guardrail';
  /** For a developer: the words of the service or the client; visitors see it only with `preview`. `''`: none. */
  readonly reason: string;
  /** Whether repeating the same turn can help. */
  readonly retryable: boolean;
  /** Seconds until another try is welcome (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** Status of the response that said no. */
  readonly status?: number | undefined;
  /** Where that request went, without query. */
  readonly url?: string | undefined;
  /** How the service or a proxy named that request. */
  readonly requestId?: string | undefined;
}

/** The memory that tells a repeated event from a new one. Bounded; emptied when the next run begins. */
export interface AppliedEvents {
  readonly recent: readonly RunEvent[];
  /** Rising ids up to this one count as applied. */
  readonly floor: string | undefined;
  /** The service gives several events the same id, so an id tells nothing. */
  readonly ambiguous: boolean;
}

/** One execution of the agent: a rising record of everything the stream told. */
export interface Run {
  /** The client's key for the run. */
  readonly id: string;
  /** The service's id, once known. */
  readonly runId: string | undefined;
  readonly agentId: string | undefined;
  /** How the prompt goes out: as a run, or posted to the thread's callback. */
  readonly route: 'run' | 'callback';
  /** `ConversationMessage.id` of what the visitor said. */
  readonly promptId: string;
  readonly status: RunStatus;
  readonly steps: readonly RunStep[];
  /** Reasoning text, as it grew. */
  readonly thinking: string;
  readonly plan: readonly RunStep[];
  readonly summary: string;
  /** The one quiet line while it works; `key` for translation when the wire gives one. */
  readonly statusLine:
    | { readonly key: string | undefined; readonly text: string; readonly agentName: string | undefined }
    | undefined;
  readonly failure: RunFailure | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** The id of the last event, for resuming. */
  readonly lastEventId: string | undefined;
  /** True from `message.interrupt` or `flow.slot.listen` until the visitor answers. */
  readonly needsReply: boolean;
  /** `done` was seen. */
  readonly done: boolean;
  /** Stopped here, but the service did not confirm it: the agent may go on. */
  readonly stopUnconfirmed: boolean;
  /** `ConversationMessage.id` that a delta without an id belongs to. */
  readonly openMessageId: string | undefined;
  /** Pieces that came after a whole message and say nothing that it does not: not shown. */
  readonly aside?: readonly ConversationItem[] | undefined;
  /** What was applied already, so that a repeated event changes nothing. Not for display. */
  readonly applied: AppliedEvents;
}

/** All that is true of one thread on this side of the wire. Pure data; frozen in tests. */
export interface Conversation {
  readonly threadId: string | undefined;
  readonly messages: readonly ConversationMessage[];
  readonly runs: readonly Run[];
  /** `context` of the last `run.completed`; goes back with the next run. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
  /** What the visitor thinks of answers, by the id of the item; goes out with the next message, and is gone with it. */
  readonly feedback?: Readonly<Record<string, unknown>> | undefined;
}

/** A conversation in which nothing was said yet. */
export const emptyConversation: Conversation = {
  threadId: undefined,
  messages: [],
  runs: [],
  context: undefined,
};
