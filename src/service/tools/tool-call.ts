import type { ToolDecisionState } from '../../protocol/index.ts';

/** A loose JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Stands for the visitor's page in place of a server. No MCP server can have this name. */
export const pageServer = '@page';

/** What the page says of a call. `error`: a word of `PageToolResult`, or the error's own message. */
export interface PageAnswer {
  readonly text?: string;
  readonly error?: string;
}

/** State of a call. `approved`: has not started. `running`: sent to the server, or to the page. */
export type CallState = ToolDecisionState;

/** A tool as the model and the visitor know it. */
export interface ToolDefinition {
  /** Unique among the agent's tools; letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** Name of the MCP server, or `pageServer`. */
  readonly server: string;
  /** For visitors. */
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** The server says that calls change nothing. */
  readonly readOnly: boolean;
  /** The server says that repeated calls have no further effect. */
  readonly idempotent: boolean;
  /** Whether the visitor must approve each call. */
  readonly needsApproval: boolean;
}

/** Fields that a model service wants back with its calls, unchanged: signatures, reasoning. */
export interface VendorFields {
  /** The service and its model: others would reject the fields. */
  readonly source: string;
  /** Fields of the call. */
  readonly call?: JsonObject | undefined;
  /** Fields of the message that has the call. */
  readonly message?: JsonObject | undefined;
}

/** A call that a model asks for. */
export interface RequestedCall {
  readonly name: string;
  /** An object; for anything else, the model gets an error. */
  readonly args: unknown;
  readonly vendorFields?: VendorFields | undefined;
}

/** Parses the arguments that a model wrote. Text that is not JSON stays as it is: the model then gets an error. */
export function parseArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  try {
    return JSON.parse(args === '' ? '{}' : args);
  } catch {
    return args;
  }
}

/** A stored call. */
export interface CallRecord {
  /** A UUID; the call's id for model and visitor. */
  readonly id: string;
  /** The run in which the model asked for it. */
  readonly runId: string;
  /** Calls of a run with the same round were asked for together. */
  readonly round: number;
  /**
   * What the model said before the round, in the run that made it. It is not stored: later, it is part of the answer.
   */
  readonly said?: string | undefined;
  readonly name: string;
  readonly server: string;
  readonly title: string;
  readonly args: unknown;
  readonly vendorFields: VendorFields | undefined;
  readonly state: CallState;
  readonly needsApproval: boolean;
  readonly idempotent: boolean;
  /** How often it was sent to the server. */
  readonly attempts: number;
  /** The run that continues after the decisions of the round. */
  readonly resumedRun: string | undefined;
  /** Milliseconds since the epoch until which it can be decided. */
  readonly expiresOn: number | undefined;
  /** The visitor's reason for declining. */
  readonly reason: string | undefined;
  /** Whether the visitor changed the arguments before approving. */
  readonly edited: boolean;
  /** What the page answered, for calls of page tools; the guardrails have not seen it. */
  readonly answer: PageAnswer | undefined;
  /** Text for the model; absent until the call has ended. */
  readonly result: string | undefined;
  readonly isError: boolean;
}

/** A call to store. */
export interface NewCall {
  readonly name: string;
  readonly args: unknown;
  readonly vendorFields?: VendorFields | undefined;
  readonly state: 'asked' | 'running' | 'failed';
  readonly tool?: ToolDefinition | undefined;
  /** JSON Schema that a decision's arguments must fit. Default: that of the tool. */
  readonly schema?: JsonObject;
  /** For calls that failed before they were sent. */
  readonly result?: string;
}

/** The end of a call. */
export interface CallEnd {
  readonly state: 'done' | 'failed' | 'unknown';
  readonly result: string;
}

/** A question of a server to the visitor, during a call. */
export interface CallQuestion {
  readonly callId: string;
  readonly title: string;
  /** Name of the server that asks. */
  readonly server: string;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
}

/** A stored question. */
export interface AskedQuestion {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresOn: number | undefined;
}

/** The calls of a thread, as one run sees and extends them. */
export interface RunCalls {
  /** Calls of the run's branch of the thread and of the run itself, oldest first. */
  readonly records: readonly CallRecord[];
  /** Whether the run's message is the answer to a decision, or to a question of a running call. */
  readonly isAnswer: boolean;
  /** The calls that this run continues with, because its message took the last open decision of their round. */
  readonly resumed: readonly CallRecord[];
  /** Stores the calls of one round, durably. @param expiresInMs how long the visitor may take to decide */
  add(calls: readonly NewCall[], expiresInMs: number): Promise<readonly CallRecord[]>;
  /**
   * Marks an approved call as running before it is sent, durably. Of all runs on all instances, one succeeds. A call
   * with an unknown outcome can be taken once more if repeating it has no further effect.
   */
  claim(id: string): Promise<{ readonly claimed: boolean; readonly call: CallRecord }>;
  /** Stores a question. */
  ask(question: CallQuestion, expiresInMs: number): Promise<AskedQuestion>;
  /**
   * Waits until the visitor has answered a question, on any instance. It expires when its time is over, or when `gone`
   * aborts. Rejects when `signal` aborts.
   */
  answered(
    questionId: string,
    until: { readonly signal: AbortSignal; readonly gone: AbortSignal },
  ): Promise<JsonObject | 'declined' | 'expired'>;
  /** Stores the end of a running call, durably. */
  settle(id: string, end: CallEnd): Promise<CallRecord>;
}

/** Why a call has no result. `message` is for the model, without addresses or secrets. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  /** Whether the server may have executed the call. */
  readonly mayHaveRun: boolean;

  constructor(message: string, options: { readonly mayHaveRun: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.mayHaveRun = options.mayHaveRun;
  }
}

/** A tool's result for model and visitor. */
export interface ToolResult {
  /** For the model. */
  readonly text: string;
  readonly isError: boolean;
  /** Content items for the visitor: images, audio, links. */
  readonly items: readonly JsonObject[];
}
