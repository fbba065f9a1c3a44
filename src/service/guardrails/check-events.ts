import type { NormalizedEvent } from '../agents/normalize-events.ts';
import { checkData } from './check-data.ts';
import { splitEvent, statusLine, withText, type TextPiece } from './streamed-text.ts';
import { GuardrailError } from './guardrail-error.ts';
import { SentenceBuffer } from './sentence-buffer.ts';

/** A text that waits for the end of its sentence, with its position in the stream. */
interface PendingText {
  readonly text: SentenceBuffer;
  piece: TextPiece;
  /** The event that brought the first waiting text, without that text; its other strings are checked. */
  shell: NormalizedEvent;
  /** Whether an event for its item was sent. */
  isPlaced: boolean;
}

/** Events after which no earlier text continues. */
const ends: ReadonlySet<string> = new Set([
  'message.started',
  'message.created',
  'message.completed',
  'message.interrupt',
  'flow.slot.listen',
  'slot.input',
  'run.completed',
  'run.failed',
  'run.expired',
  'run.cancelled',
  'error',
]);

/**
 * Passes events on once they are checked. Each text waits for the end of its sentence or message, even across
 * other events; everything else is not delayed.
 */
export async function* checkEvents(
  events: AsyncIterable<NormalizedEvent>,
  check: (text: string) => Promise<string>,
): AsyncGenerator<NormalizedEvent> {
  const texts = new Map<string, PendingText>();

  const release = async function* (...names: readonly string[]): AsyncGenerator<NormalizedEvent> {
    for (const name of names) {
      const waiting = texts.get(name);
      if (waiting && !waiting.text.isEmpty)
        yield withText(waiting.shell, waiting.piece, await check(waiting.text.rest()));
    }
  };
  // Sends items whose text still waits, without their text, so that later items cannot overtake them.
  const keepPlaces = function* (besides?: PendingText): Generator<NormalizedEvent> {
    for (const waiting of texts.values()) {
      if (waiting === besides || waiting.isPlaced || waiting.shell.event !== 'message.delta') continue;
      waiting.isPlaced = true;
      yield waiting.shell;
    }
  };

  try {
    for await (const original of events) {
      const parts = splitEvent(original);
      if (!parts.some(({ piece }) => piece?.name === statusLine)) yield* release(statusLine);
      for (const { event, piece } of parts) {
        const shell = { event: event.event, data: await checkData(withoutText(event, piece).data, check) };
        if (!piece) {
          if (ends.has(event.event)) {
            yield* release(...texts.keys());
            texts.clear();
          } else if (event.event === 'message.delta') yield* keepPlaces();
          yield shell;
          continue;
        }
        const waiting = texts.get(piece.name) ?? {
          text: new SentenceBuffer(),
          piece,
          shell,
          isPlaced: false,
        };
        texts.set(piece.name, waiting);
        if (waiting.text.isEmpty) Object.assign(waiting, { piece, shell });
        const words = await check(waiting.text.add(piece.text));
        if (words === '') continue;
        if (event.event === 'message.delta') yield* keepPlaces(waiting);
        yield withText(waiting.shell, waiting.piece, words);
        Object.assign(waiting, { piece, shell, isPlaced: true });
      }
    }
  } catch (error) {
    // The agent failed: keep its earlier text. Text stopped by a guardrail is not kept.
    if (!(error instanceof GuardrailError)) yield* release(...texts.keys());
    throw error;
  }
  yield* release(...texts.keys());
}

function withoutText(event: NormalizedEvent, piece: TextPiece | undefined): NormalizedEvent {
  return piece ? withText(event, piece, '') : event;
}
