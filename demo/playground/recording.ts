/** A recorded event with its time. */
export interface RecordedEvent {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  readonly id?: string | undefined;
  readonly event: string;
  readonly data?: unknown;
}

/** A run to replay: the visitor's message, and the events. */
export interface Recording {
  readonly message: string;
  readonly events: readonly RecordedEvent[];
}

/**
 * Writes one JSON object per line, which any reader of a run stream can read. The first line has its own kind and
 * contains the visitor's message; readers ignore unknown kinds.
 */
export function writeRecording({ message, events }: Recording): string {
  const first: RecordedEvent = { at: 0, event: 'recording.started', data: { message } };
  return [first, ...events].map((event) => JSON.stringify(event)).join('\n') + '\n';
}

/**
 * Parses a recording.
 * @throws SyntaxError with the number of the first invalid line
 */
export function readRecording(text: string): Recording {
  let message = 'Replay';
  const events: RecordedEvent[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const event = readEvent(line, index + 1, events.at(-1)?.at ?? 0);
    if (event.event === 'recording.started') message = wordsOf(event.data) ?? message;
    else events.push(event);
  }
  if (events.length === 0) throw new SyntaxError('The file holds no event. Record a run here first.');
  return { message, events };
}

function readEvent(line: string, lineNumber: number, lastTime: number): RecordedEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new SyntaxError(`Line ${lineNumber} of the file is not JSON.`);
  }
  if (typeof value !== 'object' || value === null || !('event' in value) || typeof value.event !== 'string') {
    throw new SyntaxError(`Line ${lineNumber} of the file is no run event: it has no "event".`);
  }
  const at = 'at' in value && typeof value.at === 'number' && value.at >= 0 ? value.at : lastTime + 30;
  const id = 'id' in value && typeof value.id === 'string' ? value.id : undefined;
  return { at, id, event: value.event, data: 'data' in value ? value.data : undefined };
}

function wordsOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('message' in data)) return undefined;
  return typeof data.message === 'string' ? data.message : undefined;
}
