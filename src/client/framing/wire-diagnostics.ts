import type { WireDiagnostic } from '../agent-client.ts';
import type { RecordOddity } from './normalize-record.ts';
import type { RecordFault } from './stream-record.ts';

/** Maximum number of diagnostics of one stream; the last one says that more were suppressed. */
const diagnosticLimit = 100;
const excerptLength = 200;

/** Message of each diagnostic. */
export const sentences: Readonly<Record<RecordFault | RecordOddity, string>> = {
  'malformed-record': 'A record is not valid JSON and was skipped. Check that no proxy alters the stream.',
  'truncated-record': 'The stream ended within a record.',
  'oversized-record': 'A record is larger than recordLimit and was skipped.',
  'not-an-event': 'A record is not a run event and was skipped. Check the base URL.',
  'odd-data': 'The data of an event is not an object. It was kept as "content" or "value".',
};

const suppressed: WireDiagnostic = {
  code: 'diagnostics-suppressed',
  message: 'Further diagnostics of this stream are suppressed.',
};

export interface DiagnosticReceiver {
  /** Called with harmless irregularities, at most 100 times a stream. */
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
  /** Removes secrets from a text before it is used in an excerpt. Default: the unchanged text. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Reports the irregularities of one stream, with short excerpts that contain no tokens. */
export class WireDiagnostics {
  readonly #receiver: DiagnosticReceiver;
  #count = 0;
  readonly #unknownNames = new Set<string>();

  constructor(receiver: DiagnosticReceiver) {
    this.#receiver = receiver;
  }

  /** The first 200 characters of a text, on one line, without tokens. */
  excerpt(text: string): string {
    const start = text.slice(0, 16 * 1024);
    // redact before truncating: half a token would not be recognized
    const clean = this.#receiver.redact?.(start) ?? start;
    return clean.slice(0, excerptLength).replace(/\s+/g, ' ').trim();
  }

  record(code: RecordFault | RecordOddity, text: string): void {
    this.#report({ code, message: sentences[code], excerpt: this.excerpt(text) });
  }

  /** Reported once for each name. */
  unknownEvent(name: string): void {
    if (this.#unknownNames.has(name) || this.#unknownNames.size >= diagnosticLimit) return;
    this.#unknownNames.add(name);
    this.#report({
      code: 'unknown-event',
      message: `Unknown event kind "${this.excerpt(name)}": the event is passed on and changes nothing.`,
    });
  }

  #report(diagnostic: WireDiagnostic): void {
    this.#count += 1;
    if (this.#count > diagnosticLimit) return;
    const isLast = this.#count === diagnosticLimit;
    this.#receiver.onDiagnostic?.(isLast ? suppressed : diagnostic);
  }
}
