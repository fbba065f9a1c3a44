export { decodeRunStream, type ByteSource } from './decode-run-stream.ts';
export { RecordDecoder, defaultRecordLimit, type RecordDecoderOptions } from './record-decoder.ts';
export { RunStreamDecoder, type RunStreamDecoderOptions } from './run-stream-decoder.ts';
export { SeenEvents } from './seen-events.ts';
export type { RecordFault, StreamRecord, TextRecord, ValueRecord } from './stream-record.ts';
