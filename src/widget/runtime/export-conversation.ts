import type { Conversation } from '../../conversation/conversation.ts';
import { exportTranscript } from '../../conversation/export/export-transcript.ts';
import { agentName, type PanelConfig } from '../contexts.ts';
import { disclosureMark } from '../i18n/disclosure-mark.ts';

/** Exports a conversation; Markdown names the agent as the header does. */
export function exportConversation(
  conversation: Conversation,
  format: 'markdown' | 'json' | 'jsonl',
  panel: PanelConfig,
): string {
  const mark = disclosureMark(panel.config.disclosure, panel.words);
  return exportTranscript(conversation, format, { name: agentName(panel), mark });
}
