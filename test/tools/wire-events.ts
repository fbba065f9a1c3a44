/** An event on the wire. */
export interface WireEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** The events of a simple turn whose answer has these pieces. */
export function plainTurn(pieces: readonly string[]): WireEvent[] {
  const ids = {
    run_id: '5d1f3c1e-0000-4000-8000-000000000001',
    thread_id: '5d1f3c1e-0000-4000-8000-000000000002',
  };
  const text = pieces.join('');
  const events: [string, Record<string, unknown>][] = [
    ['run.started', ids],
    ['message.started', ids],
    ...pieces.map((piece): [string, Record<string, unknown>] => [
      'message.delta',
      { ...ids, delta: { role: 'assistant', content: [{ id: '1', response_type: 'text', text: piece }] } },
    ]),
    [
      'message.created',
      {
        ...ids,
        message_id: '5d1f3c1e-0000-4000-8000-000000000003',
        message: {
          id: '5d1f3c1e-0000-4000-8000-000000000003',
          role: 'assistant',
          content: [{ response_type: 'text', id: '1', text }],
        },
      },
    ],
    ['message.completed', ids],
    ['run.completed', { ...ids, context: {} }],
    ['done', ids],
  ];
  return events.map(([event, data], index) => ({ id: `1770000000000-${index}`, event, data }));
}

/** The framings of a stream. */
export const framings = {
  'real SSE': {
    type: 'text/event-stream',
    write: (event: WireEvent) =>
      `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`,
    open: '',
    close: '',
  },
  'NDJSON labelled text/event-stream': {
    type: 'text/event-stream',
    write: (event: WireEvent) => `${JSON.stringify(event)}\n`,
    open: '',
    close: '',
  },
  'concatenated JSON': {
    type: 'application/json',
    write: (event: WireEvent) => JSON.stringify(event),
    open: '',
    close: '',
  },
  'one JSON array': {
    type: 'application/json',
    write: (event: WireEvent, index: number) => `${index > 0 ? ',' : ''}${JSON.stringify(event, null, 1)}`,
    open: '[',
    close: ']',
  },
} as const;
