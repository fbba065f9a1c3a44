import { createContext } from '@lit/context';
import type { Conversation, Run } from '../conversation/conversation.ts';
import type { SessionState } from '../session/index.ts';
import type { Config } from './config/config-table.ts';
import type { UrlPolicy } from './platform/url-policy.ts';
import type { HostRenderer } from './config/host-renderer.ts';
import type { HostHeader, HostOptions, Mentionable, Starter } from './config/host-options.ts';
import type { Turn } from '../conversation/turns.ts';
import type { Strings } from './i18n/strings.ts';

/** Everything the panel is configured with. A change gives a new object. */
export interface PanelConfig {
  readonly config: Config;
  readonly words: Strings;
  readonly policy: UrlPolicy;
  readonly header: HostHeader;
  readonly starters: readonly Starter[];
  readonly mentionables: readonly Mentionable[];
  readonly feedbackReasons: readonly string[];
  readonly hostRenderers: ReadonlyMap<string, HostRenderer>;
  /** Names of the slots the host has filled; only those are handed down, so that the others keep what stands in them. */
  readonly slots: ReadonlySet<string>;
  readonly uploadDocument: HostOptions['uploadDocument'];
}

/** The conversation as it is drawn: at most one new object a frame. */
export interface ConversationView {
  readonly conversation: Conversation;
  readonly turns: readonly Turn[];
  /** The newest run, whatever its state. */
  readonly run: Run | undefined;
  /** The run that was begun last while the page looked on; one that was read back was not. */
  readonly begunRunId?: string | undefined;
}

export const configContext = createContext<PanelConfig>(Symbol('agent-chat config'));
export const conversationContext = createContext<ConversationView>(Symbol('agent-chat conversation'));
export const sessionContext = createContext<SessionState>(Symbol('agent-chat session'));
