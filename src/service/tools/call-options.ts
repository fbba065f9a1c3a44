import type { JsonObject } from './tool-call.ts';

/** What a call reports while it runs. */
export interface CallProgress {
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/** What a server asks the visitor during a call. @source MCP, "Elicitation" */
export interface ServerQuestion {
  readonly message: string;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
}

/** The visitor's answer. */
export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** A call as the toolset makes it. */
export interface CallOptions {
  /** Limit without an answer or progress, in ms. The time in which the visitor answers a question does not count. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The run that calls. */
  readonly runId: string;
  /** The trace of the call, in the form of the header. */
  readonly traceparent: string;
  readonly onProgress: (progress: CallProgress) => void;
  /** `gone` aborts when the server waits for the answer no longer. */
  readonly onQuestion: (question: ServerQuestion, gone: AbortSignal) => Promise<QuestionAnswer>;
}
