import { DiagnosticEvent } from './element-events.ts';

const reported = new WeakMap<EventTarget, Set<string>>();

/**
 * Reports a harmless problem to developers: fires `agent-chat-diagnostic`, and logs each message to the console once.
 * @param code stable name, such as `invalid-attribute`
 * @param message what is wrong and what to do; never contains a token or a visitor's text
 */
export function diagnose(target: EventTarget, code: string, message: string): void {
  const known = reported.get(target) ?? new Set();
  reported.set(target, known);
  if (target.dispatchEvent(new DiagnosticEvent(code, message)) && !known.has(code + message)) {
    console.warn(`agent-chat: ${message}`);
  }
  if (known.size < 200) known.add(code + message);
}
