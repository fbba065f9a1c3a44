/**
 * The part of the Web Speech API that dictation uses. TypeScript has no types for it.
 * @source Web Speech API, draft of the Audio Working Group
 */
export interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  /** Recognizes on this device only. Engines without it ignore it. */
  processLocally?: boolean;
  start(): void;
  /** Ends listening; what was heard still arrives. */
  stop(): void;
  abort(): void;
}

/** Everything heard since the start: each part in its current transcript. */
export interface RecognitionResultEvent extends Event {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>;
}

export interface RecognitionErrorEvent extends Event {
  /** Such as `not-allowed`, `audio-capture` or `no-speech`. */
  readonly error: string;
}

interface RecognitionClass {
  new (): Recognition;
  available?(options: {
    readonly langs: readonly string[];
    readonly processLocally: boolean;
  }): Promise<string>;
}

/** The browser's class for speech recognition; `undefined` where there is none. */
export function recognitionClass(): RecognitionClass | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    readonly SpeechRecognition?: RecognitionClass;
    readonly webkitSpeechRecognition?: RecognitionClass;
  };
  return SpeechRecognition ?? webkitSpeechRecognition;
}

/** Whether the browser can recognize a language now without sending the voice elsewhere. */
export async function isOnDevice(recognition: RecognitionClass, language: string): Promise<boolean> {
  const options = { langs: [language], processLocally: true };
  const state = await recognition.available?.(options).catch(() => undefined); // some engines refuse the options
  return state === 'available';
}
