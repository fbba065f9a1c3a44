import { eventId, type StoredEvent } from '../storage/run-events.ts';

/** Framing of a run stream. */
export type StreamFormat = 'sse' | 'ndjson';

/** A wire format of a run. */
export interface Encoder {
  readonly contentType: string;
  /** Sent during silence; decoders ignore it. */
  readonly heartbeat: string;
  /** Encodes one event. @param json its complete data */
  readonly encode: (event: StoredEvent, json: string) => string;
  /** Called after the last event of the run. Returns what is sent before the stream ends. */
  readonly end?: () => string;
}

/** @assumed SSE with the inner object as data when requested, otherwise one JSON object per line */
export const encoders: Readonly<Record<StreamFormat, Encoder>> = {
  sse: {
    contentType: 'text/event-stream; charset=utf-8',
    heartbeat: ':\n\n',
    encode: (event, json) => `id: ${eventId(event)}\nevent: ${event.event}\ndata: ${json}\n\n`,
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    heartbeat: '\n',
    encode: (event, json) =>
      `{"id":"${eventId(event)}","event":${JSON.stringify(event.event)},"data":${json}}\n`,
  },
};

const formats: ReadonlyMap<string, StreamFormat> = new Map([
  ['text/event-stream', 'sse'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
]);

/**
 * Chooses a format by the `Accept` header: the one with the higher `q`, the first of equals. NDJSON when
 * neither is named.
 */
export function formatFor(accept: string | undefined): StreamFormat {
  let best: { format: StreamFormat; quality: number } = { format: 'ndjson', quality: 0 };
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim());
    const format = formats.get(type);
    if (!format) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2)) || 0;
    if (quality > best.quality) best = { format, quality };
  }
  return best.format;
}
