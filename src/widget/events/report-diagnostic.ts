import { DiagnosticEvent } from './element-events.ts';

const told = new WeakMap<EventTarget, Set<string>>();

/**
 * Tells a developer of something odd that did no harm: an event each time, one line on the console the first time.
 * @param code Stable name, like `invalid-attribute`.
 * @param message What was wrong and what to do. Never holds a token or what a visitor wrote.
 */
export function diagnose(target: EventTarget, code: string, message: string): void {
  const known = told.get(target) ?? new Set();
  told.set(target, known);
  if (target.dispatchEvent(new DiagnosticEvent(code, message)) && !known.has(code + message)) {
    console.warn(`agent-chat: ${message}`);
  }
  if (known.size < 200) known.add(code + message);
}
