import { eventJson, type StoredEvent } from '../storage/run-events.ts';
import type { Run } from '../storage/runs.ts';

/** Returns the first event of a new run. */
export function startedEvent(run: Pick<Run, 'agent_id' | 'message_id'>): StoredEvent {
  const json = eventJson({ agent_id: run.agent_id, parent_message_id: run.message_id });
  return { ms: Date.now(), sequence: 0, event: 'run.started', json };
}
