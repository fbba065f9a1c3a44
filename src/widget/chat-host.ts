import type { ReactiveElement } from '@lit/reactive-element';
import type { Conversation } from '../conversation/conversation.ts';
import type { ContentItem } from '../protocol/index.ts';
import type { Config } from './config/config-table.ts';
import type { PageTool } from './config/page-tool.ts';
import type { Strings } from './i18n/create-strings.ts';
import type { HostOptions } from './config/host-options.ts';

/** The layout in force; `custom` is in place, inside the page's own container. */
export type FormKind = 'float' | 'fullscreen-overlay' | 'custom';

/** What the visitor has done in the field that stands in for the panel until that has loaded. */
export interface Shell {
  readonly element: HTMLElement;
  readonly field: HTMLTextAreaElement;
  /** Messages that the visitor has sent, in order. */
  readonly sent: string[];
  /** Files that the visitor has pasted or dropped. */
  readonly files: readonly File[];
  /** True when the text in the field is to be sent once the files are uploaded. */
  readonly isWaiting: boolean;
  /** True while the panel must not take over: a button is held, or an input method composes. */
  readonly isBusy: boolean;
  /** Stores the texts; undefined before anything is written. */
  storage: { store(): void; end(): void } | undefined;

  /** Shows a message as sent. */
  show(text: string): void;
}

/**
 * What the other rooms may use of `<agent-chat>`. They import this interface instead of the class: the element
 * loads them on demand, and importing the class would make a circle.
 */
export interface ChatHost extends ReactiveElement {
  /** The settings in force. Every change creates a new object. */
  readonly config: Config;
  /** The JSON inside the element, in the API's own shape. */
  readonly jsonConfig: Readonly<Record<string, unknown>>;
  /** The layout in force; differs from `config.formType` while the container is missing. */
  readonly formKind: FormKind;
  /** `undefined` before the panel has loaded. */
  readonly conversation: Conversation | undefined;
  /** Functions of the page that the agent may call, by name. */
  readonly registeredTools: ReadonlyMap<string, PageTool>;
  /** Number of unread answers; shown on the launcher. */
  unread: number;
  /** Visible strings in the language in force. */
  words: Strings;
  /** Undefined before the chat is opened, and once the panel has taken over. */
  shell: Shell | undefined;
  /** How often the panel was reopened because it was open on the previous page. */
  readonly restores: number;

  /** A host option: the property, else the value in the JSON. */
  option<Name extends keyof HostOptions>(name: Name): HostOptions[Name];
  /** Turns a custom state on or off; `:state(…)` matches it. */
  setState(name: string, on: boolean): void;
  /** Applies the config published for the agent, in the API's own shape. */
  applyPublishedConfig(json: unknown): void;
  send(content: string | readonly ContentItem[], options?: { readonly silent?: boolean }): Promise<void>;
  setDraft(text: string): Promise<void>;
  focusComposer(): Promise<void>;
  show(): Promise<void>;
  hide(): Promise<void>;
}
