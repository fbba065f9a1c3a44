export { decodeRunStream, type ByteSource } from './decode-run-stream.ts';
export { RunStreamDecoder, type RunStreamDecoderOptions } from './run-stream-decoder.ts';
export { SeenEvents } from './seen-events.ts';
export * from './stream-format-error.ts';
