import type { Encoder } from '../http/encode-run-stream.ts';
import { AguiEvents, type RunIds } from './agui-events.ts';

/**
 * Encodes the events of one run as AG-UI events, by server-sent events. One encoder serves one response.
 * @param knownCalls see `AguiEvents`
 */
export function aguiEncoder(ids: RunIds, knownCalls: readonly string[]): Encoder {
  const events = new AguiEvents(ids, knownCalls);
  const encode = (translated: Iterable<object>): string =>
    Array.from(translated, (event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    heartbeat: ':\n\n',
    encode: ({ event }, json) => encode(events.translate(event, JSON.parse(json) as Record<string, unknown>)), // an object, as stored
    end: () => encode(events.end()),
  };
}
