import type { Conversation, Run } from '../../conversation/conversation.ts';
import type { ConnectionState } from '../../session/index.ts';
import { runStatusText } from '../i18n/status-strings.ts';
import type { Config } from '../config/config-table.ts';
import type { Strings } from '../i18n/strings.ts';

/** What is announced of an answer: all of it when complete, each sentence, or only its start and end. */
export type AnnounceMode = Config['announce'];

/** The state that announcements are made from. */
export interface AnnouncedState {
  readonly conversation: Conversation;
  readonly connection: ConnectionState;
  readonly words: Strings;
  /** Name of the agent. */
  readonly name: string;
  readonly mode: AnnounceMode;
  /** True when the panel is open in a visible tab. */
  readonly shown: boolean;
}

/** The announcement for an active run: its current activity, or only that it is active. */
export function runStartText(run: Run, { mode, words, name }: AnnouncedState): string {
  return mode === 'quiet' ? words.t('announce.started', { name }) : runStatusText(run, words);
}
