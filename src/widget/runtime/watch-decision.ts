import { readDecision, refusedDecisions, withdrawDecision } from '../../conversation/tool-decision.ts';
import { findMessage } from '../../conversation/update.ts';
import type { DecisionView } from '../../conversation/tool-decision.ts';
import type { DecisionWatchEvent } from '../content/decision/decision-events.ts';
import type { SessionController } from './session-controller.ts';

/** States that change without anything happening on this page. */
const unsettled: ReadonlySet<DecisionView['state']> = new Set(['asked', 'approved', 'running', 'settled']);

/**
 * Tells a card where its decision stands until the card is removed. A decision that the service refused is taken
 * back; when another was first, the thread is read again for the one in force.
 */
export function watchDecision(event: DecisionWatchEvent, controller: SessionController): void {
  const { session } = controller;
  const { messageId, itemId, signal, onChange } = event;
  let shown: DecisionView | undefined;
  const update = (): void => {
    const { conversation } = session;
    const message = findMessage(conversation, messageId);
    const item = message?.items.find(({ id }) => id === itemId);
    if (message && item) {
      const next = readDecision(conversation, message, item);
      if (JSON.stringify(next) !== JSON.stringify(shown)) onChange((shown = next));
    }
    if (!session.busy && refusedDecisions(conversation).length > 0) queueMicrotask(withdraw);
  };
  const withdraw = (): void => {
    const refused = refusedDecisions(session.conversation);
    if (!refused.length || session.busy) return;
    session.adopt((conversation) => refused.reduce(withdrawDecision, conversation));
    void controller.readThread();
  };
  // it may have been decided on another device meanwhile
  const onVisible = (): void => {
    if (!document.hidden && shown && unsettled.has(shown.state)) void controller.readThread();
  };
  const unsubscribe = session.subscribe(update);
  document.addEventListener('visibilitychange', onVisible);
  signal.addEventListener('abort', () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisible);
  });
  update();
}
