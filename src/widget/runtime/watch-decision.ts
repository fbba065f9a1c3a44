import { readDecision, refusedDecisions, withdrawDecision } from '../../conversation/tool-decision.ts';
import { findMessage } from '../../conversation/update.ts';
import type { DecisionView } from '../../conversation/tool-decision.ts';
import { areClocksCompared, serviceTime } from '../../protocol/service-clock.ts';
import type { DecisionWatchEvent } from '../content/decision/decision-events.ts';
import { maxTimeoutMs } from '../content/decision/decision-time.ts';
import type { SessionController } from './session-controller.ts';

/** States that change without anything happening on this page. */
const unsettled: ReadonlySet<DecisionView['state']> = new Set(['asked', 'approved', 'running', 'settled']);

/** Delay before the first look for a decision made on another device, in ms. It doubles with each look. */
const firstDelayMs = 5_000;
const longestDelayMs = 60_000;
/** How long after the deadline the thread is read, in ms: by then the service has seen it pass. */
const deadlineSlackMs = 1_000;

/**
 * Tells a card where its decision stands until the card is removed. A decision that the service refused is taken
 * back; when another was first, the thread is read again for the one in force. It is also read when the decision has
 * expired and, while an open card is in view, from time to time: it may be decided on another device.
 */
export function watchDecision(event: DecisionWatchEvent, controller: SessionController): void {
  const { session } = controller;
  const { messageId, itemId, card, signal, onChange } = event;
  if (signal.aborted) return; // removed while this code loaded
  let shown: DecisionView | undefined;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const awaitDeadline = ({ state, expiresAt }: DecisionView): void => {
    clearTimeout(deadline);
    const left = (expiresAt ?? Infinity) - serviceTime();
    if (state !== 'asked' || left > maxTimeoutMs || (left <= 0 && areClocksCompared())) return;
    // it has expired by this device's clock, which may be wrong: the response has the service's time
    const delay = left <= 0 ? 0 : left + deadlineSlackMs;
    deadline = setTimeout(() => void controller.readThread().then(show), delay);
  };
  const show = (): void => {
    if (shown && !signal.aborted) onChange({ ...shown });
  };
  const update = (): void => {
    const { conversation } = session;
    const message = findMessage(conversation, messageId);
    const item = message?.items.find(({ id }) => id === itemId);
    if (message && item) {
      const next = readDecision(conversation, message, item);
      if (JSON.stringify(next) !== JSON.stringify(shown)) {
        onChange((shown = next));
        awaitDeadline(next);
      }
    }
    if (!session.busy && refusedDecisions(conversation).length > 0) queueMicrotask(withdraw);
  };
  const withdraw = (): void => {
    const refused = refusedDecisions(session.conversation);
    if (!refused.length || session.busy) return;
    session.adopt((conversation) => refused.reduce(withdrawDecision, conversation));
    void controller.readThread();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isInView = false;
  const isToBeRead = (): boolean =>
    isInView && !document.hidden && shown !== undefined && unsettled.has(shown.state);
  const readAfter = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isToBeRead()) return;
      void controller.readThread();
      readAfter(Math.min(Math.max(delayMs * 2, firstDelayMs), longestDelayMs));
    }, delayMs);
  };
  const onVisible = (): void => {
    if (isToBeRead()) readAfter(0);
  };
  let wasInView = false;
  const observer = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting === true;
    if (isInView) readAfter(wasInView ? 0 : firstDelayMs);
    wasInView ||= isInView;
  });
  const unsubscribe = session.subscribe(update);
  observer.observe(card);
  document.addEventListener('visibilitychange', onVisible);
  signal.addEventListener('abort', () => {
    unsubscribe();
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(deadline);
    document.removeEventListener('visibilitychange', onVisible);
  });
  update();
}
