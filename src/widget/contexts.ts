import { createContext } from '@lit/context';
import type { Conversation, Run } from '../conversation/conversation.ts';
import type { SessionState } from '../session/index.ts';
import type { Config } from './config/config-table.ts';
import type { UrlPolicy } from './platform/url-policy.ts';
import type { HostHeader, HostOptions, HostRenderer, Mentionable, Starter } from './config/host-options.ts';
import type { Turn } from '../conversation/turns.ts';
import type { Strings } from './i18n/strings.ts';

/** Everything that configures the panel. Every change creates a new object. */
export interface PanelConfig {
  readonly config: Config;
  readonly words: Strings;
  readonly policy: UrlPolicy;
  readonly header: HostHeader;
  readonly starters: readonly Starter[];
  readonly mentionables: readonly Mentionable[];
  readonly feedbackReasons: readonly string[];
  readonly hostRenderers: ReadonlyMap<string, HostRenderer>;
  /**
   * Names of the slots that the page has filled. Only those are forwarded; the others keep their fallback content.
   */
  readonly slots: ReadonlySet<string>;
  readonly uploadDocument: HostOptions['uploadDocument'];
}

/** The conversation as it is rendered; replaced at most once per frame. */
export interface ConversationView {
  readonly conversation: Conversation;
  readonly turns: readonly Turn[];
  /** The newest run, whatever its state. */
  readonly run: Run | undefined;
  /** The run that started last while this page was open; not one restored from storage or history. */
  readonly startedRunId?: string | undefined;
}

export const configContext = createContext<PanelConfig>(Symbol('agent-chat config'));
export const conversationContext = createContext<ConversationView>(Symbol('agent-chat conversation'));
export const sessionContext = createContext<SessionState>(Symbol('agent-chat session'));

/** The agent's name as the visitor reads it. */
export function agentName({ config, words }: Pick<PanelConfig, 'config' | 'words'>): string {
  return config.heading || words.t('panel.name');
}

/** Whether the panel offers the visitor's conversations. */
export function listsThreads(
  { config: { conversations } }: PanelConfig,
  { keepsThreads, history }: SessionState,
): boolean {
  // only a service that keeps threads says of one that it is gone
  return conversations === 'on' || (conversations === 'auto' && (keepsThreads || history === 'gone'));
}
