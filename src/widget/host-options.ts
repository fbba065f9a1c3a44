import type { Guardrails, LlmParams, Message } from '../protocol/index.ts';
import type { HostRenderer } from './content/content-renderer.ts';
import type { WordOverrides } from './create-words.ts';

/** What stands in the header beside the name. */
export interface HostHeader {
  /** Address of a picture; shown when it comes from `base-url` or an allowed origin. Absent: the first letter. */
  readonly avatar?: string | undefined;
  /** Second line while nothing is going on, like "Answers in seconds". */
  readonly subtitle?: string | undefined;
  /** Fine print under the composer. */
  readonly disclaimer?: string | undefined;
}

/** A suggestion on the welcome page. */
export interface Starter {
  readonly title: string;
  readonly description?: string | undefined;
  /** What is sent. Default: the title. */
  readonly prompt?: string | undefined;
}

/** Fields that go with every message a visitor sends. */
export type MessageDefaults = Partial<Message>;

/** Origins beyond `base-url` that answers may load from. */
export interface AllowedOrigins {
  readonly images?: readonly string[] | undefined;
  readonly media?: readonly string[] | undefined;
  readonly frames?: readonly string[] | undefined;
}

/** Somebody or something a visitor may name with `@`. */
export interface Mentionable {
  readonly id: string;
  readonly name: string;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
}

/** Puts a document where the agent can read it. */
export type UploadDocument = (
  file: File,
  options: {
    readonly signal: AbortSignal;
    /** Share done, 0 to 1. */
    readonly onProgress: (share: number) => void;
  },
) => Promise<string>;

/**
 * What a host sets in JavaScript, beside the attributes; `undefined` takes it back. Some may also stand in the JSON,
 * under `json`.
 */
export interface HostOptions {
  /** Gives a token; `reason` is `initial`, `expiring` or `rejected`. Asked once for all that wait. */
  tokenProvider?: ((reason: 'initial' | 'expiring' | 'rejected') => string | Promise<string>) | undefined;
  /** Fields that go out with every message of the visitor, such as `context` or `additional_properties`. */
  messageDefaults?: MessageDefaults | undefined;
  /** Picture, second line and fine print. */
  header?: HostHeader | undefined;
  /** Suggestions on the welcome page. */
  starters?: readonly Starter[] | undefined;
  /** Whom and what `@` offers. */
  mentionables?: readonly Mentionable[] | undefined;
  /** Puts a document where the agent can read it and gives its id; turns on attaching, pasting and dropping. */
  uploadDocument?: UploadDocument | undefined;
  /** Reasons offered with a thumb down. */
  feedbackReasons?: readonly string[] | undefined;
  /** Origins beyond `base-url` from which images, media and frames of answers may load. */
  allowedOrigins?: AllowedOrigins | undefined;
  /** The page’s own renderers by response type; see `registerRenderer`. */
  renderers?: Readonly<Record<string, HostRenderer>> | undefined;
  /** Words the page wants otherwise, by key. */
  strings?: WordOverrides | undefined;
  /** In place of the page's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Model parameters of every run. */
  llmParams?: LlmParams | undefined;
  /** Guardrails of every run. */
  guardrails?: Guardrails | undefined;
  /** Context of every run; wins over what the last run gave back. */
  context?: Readonly<Record<string, unknown>> | undefined;
  /** Variables of every run, name to value. */
  contextVariables?: Readonly<Record<string, unknown>> | undefined;
  /** Further parameters of every run. */
  additionalParameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Each option with its name in the JSON; `undefined`: JavaScript only. */
export const hostOptionNames = {
  tokenProvider: undefined,
  messageDefaults: 'message',
  header: 'header',
  starters: 'starters',
  mentionables: 'mentionables',
  uploadDocument: undefined,
  feedbackReasons: 'feedback_reasons',
  allowedOrigins: 'allowed_origins',
  renderers: undefined,
  strings: 'strings',
  fetch: undefined,
  llmParams: 'llm_params',
  guardrails: 'guardrails',
  context: 'context',
  contextVariables: 'context_variables',
  additionalParameters: 'additional_parameters',
} as const satisfies Record<keyof HostOptions, string | undefined>;
