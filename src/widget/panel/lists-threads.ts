import type { SessionState } from '../../session/index.ts';
import type { PanelConfig } from '../contexts.ts';

/** Whether the panel offers the visitor's conversations. */
export function listsThreads({ config }: PanelConfig, session: SessionState): boolean {
  return config.conversations === 'on' || (config.conversations === 'auto' && session.keepsThreads === true);
}
