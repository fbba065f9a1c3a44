import type { Conversation, Run } from '../../conversation/conversation.ts';
import { isUnderWay } from '../../conversation/run-status.ts';
import type { ConnectionState } from '../../session/index.ts';
import { runStatusText } from '../i18n/status-strings.ts';
import type { Config } from '../config/config-table.ts';
import type { Strings } from '../i18n/strings.ts';

/** What is read aloud of an answer: all of it when it is finished, by the sentence, or only that it began and ended. */
export type AnnounceMode = Config['announce'];

/** What a narrator looks at. */
export interface AnnouncedState {
  readonly conversation: Conversation;
  readonly connection: ConnectionState;
  readonly words: Strings;
  /** What the agent is called. */
  readonly name: string;
  readonly mode: AnnounceMode;
  /** The panel is open in a tab that is looked at. */
  readonly shown: boolean;
}

/** What is said of a run that works: what it works on, or only that it does. */
export function runStartText(run: Run, { mode, words, name }: AnnouncedState): string {
  return mode === 'quiet' ? words.t('announce.started', { name }) : runStatusText(run, words);
}

/** The first run of a conversation, as long as all that is to be said of it is what it works on. */
export function firstRun({ conversation, connection, mode }: AnnouncedState): Run | undefined {
  const [run, ...others] = conversation.runs;
  const isWell = connection === 'connecting' || connection === 'streaming';
  const isOnly = conversation.messages.length <= 2 && others.length === 0 && mode !== 'sentence';
  return run && isOnly && isWell && isUnderWay(run) && !run.needsReply ? run : undefined;
}
