import type { TokenProvider } from '../../client/agent-client.ts';
import type { Guardrails, LlmParams, Message } from '../../protocol/index.ts';
import type { HostRenderer } from './host-renderer.ts';
import type { StringOverrides } from '../i18n/create-strings.ts';

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
  /** `(reason) =>` a token, `{ token }`, or a promise of one; `reason` is `initial`, `expiring` or `rejected`. */
  tokenProvider?: TokenProvider | undefined;
  /** Fields sent with every message of the visitor, such as `context` or `additional_properties`. */
  messageDefaults?: MessageDefaults | undefined;
  /** `avatar` (address of a picture), `subtitle` (second line), `disclaimer` (fine print under the composer). */
  header?: HostHeader | undefined;
  /** Suggestions on the welcome page, a list of `{ title, description, prompt }`; without `prompt` the title is sent. */
  starters?: readonly Starter[] | undefined;
  /** People and things that `@` offers, a list of `{ id, name, type, description }`. */
  mentionables?: readonly Mentionable[] | undefined;
  /**
   * `(file, { signal, onProgress }) =>` a promise of the id under which the agent finds the document; turns on attaching,
   * pasting and dropping.
   */
  uploadDocument?: UploadDocument | undefined;
  /** Reasons offered when a visitor rates an answer as bad, a list of texts. */
  feedbackReasons?: readonly string[] | undefined;
  /**
   * `{ images, media, frames }`: origins beyond `base-url` from which those of answers may load, each a list, such as
   * `https://cdn.example.com`; `data:` in `images` allows images inside the message.
   */
  allowedOrigins?: AllowedOrigins | undefined;
  /** The page’s own renderers, by response type; see `registerRenderer`. */
  renderers?: Readonly<Record<string, HostRenderer>> | undefined;
  /** Words to replace, by key; the keys and the English words are in `agent-chat/locales/en`. */
  strings?: StringOverrides | undefined;
  /** Used instead of the page’s `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Model parameters of every run. */
  llmParams?: LlmParams | undefined;
  /** Guardrails of every run. */
  guardrails?: Guardrails | undefined;
  /** Context of every run; takes precedence over what the last run gave back. */
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
