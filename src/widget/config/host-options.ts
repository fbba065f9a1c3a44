import type { TokenProvider } from '../../client/agent-client.ts';
import type { ContentItem, Guardrails, LlmParams, Message } from '../../protocol/index.ts';
import type { StringOverrides } from '../i18n/create-strings.ts';
import type { ConversationMessage, ItemAnswer } from '../../conversation/conversation.ts';
import { separateWords } from './config-table.ts';

/** Content of the header beside the name. */
export interface HostHeader {
  /**
   * URL of a picture, from the page's origin, that of `base-url` or an allowed origin; a relative one starts at
   * `base-url`. Default: the first letter of the name.
   */
  readonly avatar?: string | undefined;
  /** Second line while the agent is idle, such as "Answers in seconds". */
  readonly subtitle?: string | undefined;
  /** Fine print below the composer. */
  readonly disclaimer?: string | undefined;
}

/** A suggestion on the welcome page. */
export interface Starter {
  /** The label of the button. */
  readonly title: string;
  /** A second, quieter line. */
  readonly description?: string | undefined;
  /** The message to send. Default: the title. */
  readonly prompt?: string | undefined;
  /** An emoji, or a line icon: the `d` of an SVG path in a box of 24 × 24. Default: none. */
  readonly icon?: string | undefined;
}

/** Fields added to every message of the visitor. */
export type MessageDefaults = Partial<Message>;

/** Origins, beyond that of `base-url`, that answers may load from. */
export interface AllowedOrigins {
  /** Origins of images; `data:` allows images inside the message. */
  readonly images?: readonly string[] | undefined;
  /** Origins of audio and video. */
  readonly media?: readonly string[] | undefined;
  /** Origins of embedded pages. */
  readonly frames?: readonly string[] | undefined;
}

/** A person or thing that visitors can mention with `@`. */
export interface Mentionable {
  /** Id that the agent gets, a UUID. */
  readonly id: string;
  /** Name in the list and in the message. */
  readonly name: string;
  /** Kind of person or thing, for the agent. */
  readonly type?: string | undefined;
  /** A second, quieter line in the list. */
  readonly description?: string | undefined;
}

/** Result of `uploadDocument`: the document's id, a UUID, or why the page refuses the document, for the visitor. */
export type UploadResult = string | { readonly refused: string };

/**
 * Uploads a document to where the agent can read it. Anything but an `UploadResult` fails the upload: the visitor can
 * try again.
 */
export type UploadDocument = (
  file: File,
  options: {
    readonly signal: AbortSignal;
    /** Share uploaded, 0 to 1. */
    readonly onProgress: (share: number) => void;
  },
) => Promise<UploadResult>;

/**
 * Options that the page sets in JavaScript, beside the attributes; `undefined` removes one. Options with a `json`
 * name may also be in the JSON.
 */
export interface HostOptions {
  /** `(reason) =>` a token, `{ token }`, or a promise of one; `reason` is `initial`, `expiring` or `rejected`. */
  tokenProvider?: TokenProvider | undefined;
  /** Fields added to every message of the visitor, such as `context` or `additional_properties`. */
  messageDefaults?: MessageDefaults | undefined;
  /**
   * `avatar` (URL of a picture of the page, the service or an origin in `allowedOrigins.images`; a relative one starts
   * at `base-url`), `subtitle` (second line), `disclaimer` (fine print below the composer).
   */
  header?: HostHeader | undefined;
  /**
   * Suggestions on the welcome page: a list of `{ title, description, prompt, icon }`; without `prompt`, the title
   * is sent.
   */
  starters?: readonly Starter[] | undefined;
  /** People and things that `@` suggests: a list of `{ id, name, type, description }`; `id` is a UUID. */
  mentionables?: readonly Mentionable[] | undefined;
  /**
   * `(file, { signal, onProgress }) =>` a promise of the document’s id for the agent, a UUID, or of
   * `{ refused }`, why not, for the visitor; turns on attaching, pasting and dropping files.
   */
  uploadDocument?: UploadDocument | undefined;
  /** Reasons to choose from when a visitor rates an answer as bad: a list of texts. */
  feedbackReasons?: readonly string[] | undefined;
  /**
   * `{ images, media, frames }`: origins, beyond that of `base-url`, that answers may load each kind from: lists of
   * origins such as `https://cdn.example.com`; `data:` in `images` allows images inside the message.
   */
  allowedOrigins?: AllowedOrigins | undefined;
  /** The page’s own renderers, by response type; see `registerRenderer`. */
  renderers?: Readonly<Record<string, HostRenderer>> | undefined;
  /**
   * Strings to replace, by key; the keys and the English strings are in `agent-chat/locales/en`, and in
   * `agent-chat/locales/content/en`, `acting/en` and `extras/en`.
   */
  strings?: StringOverrides | undefined;
  /** Used instead of the page’s `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Model parameters of every run. */
  llmParams?: LlmParams | undefined;
  /** Guardrails of every run. */
  guardrails?: Guardrails | undefined;
  /** Context of every run; overrides what the last run returned. */
  context?: Readonly<Record<string, unknown>> | undefined;
  /** Variables of every run, by name. */
  contextVariables?: Readonly<Record<string, unknown>> | undefined;
  /** Further parameters of every run. */
  additionalParameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Options that may also be in the JSON, under the same name with underscores. */
const jsonOptions = [
  'header',
  'starters',
  'mentionables',
  'feedbackReasons',
  'allowedOrigins',
  'strings',
  'llmParams',
  'guardrails',
  'context',
  'contextVariables',
  'additionalParameters',
] as const satisfies readonly (keyof HostOptions)[];

/** Each option with its name in the JSON; `undefined` means JavaScript only. */
export const hostOptionNames: Readonly<Record<keyof HostOptions, string | undefined>> = {
  tokenProvider: undefined,
  messageDefaults: 'message',
  uploadDocument: undefined,
  renderers: undefined,
  fetch: undefined,
  ...(Object.fromEntries(jsonOptions.map((name) => [name, separateWords(name, '_')])) as Record<
    (typeof jsonOptions)[number],
    string
  >),
};

/** The third argument of a page's renderer, after the item and its container. */
export interface HostRenderContext {
  /** The message that contains the item. */
  readonly message: ConversationMessage;
  /** BCP 47 tag of the chat’s language. */
  readonly locale: string;
  /** Whether the item can be answered now. */
  readonly active: boolean;
  /** The answer that was given, if any. */
  readonly answer: ItemAnswer | undefined;
  /** Answers the item as the visitor: text is sent as a message, other data as a form submission. */
  respond(data: unknown): void;
}

/**
 * A page's own renderer for a response type. It renders into the page's light DOM, so that the page's CSS applies.
 * It may fill `container`, return a node or text to insert, or return a cleanup function. It is called again with
 * the same container when the item, its answer, `active` or the language changes, after its cleanup function.
 */
export type HostRenderer = (item: ContentItem, container: HTMLElement, context: HostRenderContext) => unknown;
