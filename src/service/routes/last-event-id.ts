import type { FastifyRequest } from 'fastify';
import { invalid } from '../errors/problem.ts';
import { parseEventId, type Cursor } from '../storage/run-events.ts';

/**
 * Parses the header `Last-Event-ID`; returns `start` if it is absent or empty.
 * @param streamName what the events belong to, for the error
 * @throws Problem 422
 */
export function parseLastEventId<Start>(
  { headers }: FastifyRequest,
  start: Start,
  streamName: 'run' | 'thread',
): Cursor | Start {
  const id = headers['last-event-id'];
  if (typeof id !== 'string' || id === '') return start;
  const cursor = parseEventId(id);
  if (!cursor) throw invalid(['header', 'last-event-id'], `must be the id of an event of this ${streamName}`);
  return cursor;
}
