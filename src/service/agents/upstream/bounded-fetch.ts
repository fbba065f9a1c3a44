import { ServiceFailure } from '../agent.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Bytes of an error's body that are read. */
const errorBodyLimit = 65_536;

/**
 * Returns a `fetch` whose response bodies are bounded, for libraries that keep an unfinished event in memory. A body
 * with a part over the limit fails; parts are separated by blank lines, as in server-sent events. The body of an error
 * is cut.
 * @param limit bytes
 */
export function boundedFetch(limit: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(response.ok ? boundParts(limit) : cutAfter(errorBodyLimit));
    return new Response(body, { status, statusText, headers });
  };
}

/** Fails with a part that is larger than a limit. */
export function tooLargePart(limit: number): ServiceFailure {
  return new ServiceFailure('event_too_large', `The answer contains a part larger than ${limit} bytes.`);
}

function boundParts(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let isLineEmpty = true;
  let previous = 0;
  return new TransformStream({
    transform(bytes, controller) {
      for (const byte of bytes) {
        const isBreak = byte === lineFeed || byte === carriageReturn;
        if (!isBreak) {
          isLineEmpty = false;
          size += 1;
        } else if (byte !== lineFeed || previous !== carriageReturn) {
          if (isLineEmpty) size = 0;
          isLineEmpty = true;
        }
        previous = byte;
      }
      if (size > limit) controller.error(tooLargePart(limit));
      else controller.enqueue(bytes);
    },
  });
}

function cutAfter(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let left = limit;
  return new TransformStream({
    transform(bytes, controller) {
      controller.enqueue(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) controller.terminate();
    },
  });
}
