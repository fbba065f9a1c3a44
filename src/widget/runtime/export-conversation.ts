import type { Conversation } from '../../conversation/conversation.ts';
import { exportTranscript } from '../../conversation/export/export-transcript.ts';
import type { PanelConfig } from '../panel-data.ts';
import { disclosureMark } from '../i18n/disclosure-mark.ts';

/** Exports a conversation; Markdown names the agent as the header does. */
export function exportConversation(
  conversation: Conversation,
  format: 'markdown' | 'json' | 'jsonl',
  { config, words }: PanelConfig,
): string {
  const name = config.heading || words.t('panel.name');
  return exportTranscript(conversation, format, { name, mark: disclosureMark(config.disclosure, words) });
}
