import { css, html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import type { StringKey } from '../../i18n/strings.ts';
import { icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import {
  isOnDevice,
  recognitionClass,
  type Recognition,
  type RecognitionErrorEvent,
  type RecognitionResultEvent,
} from './speech-recognition.ts';

const microphoneIcon =
  'M12 3.5a3 3 0 013 3V12a3 3 0 01-6 0V6.5a3 3 0 013-3zM5.5 11.5a6.5 6.5 0 0013 0M12 18v3';

/** What visitors are told about an error of the recognition. `aborted` is no error: somebody stopped it. */
const faults: Readonly<Record<string, StringKey | undefined>> = {
  aborted: undefined,
  'not-allowed': 'speech.denied',
  'service-not-allowed': 'speech.denied',
  'audio-capture': 'speech.no-microphone',
  'language-not-supported': 'speech.no-language',
  'no-speech': 'speech.nothing',
};

/**
 * A button that turns speech into text of the composer, which the visitor can correct and sends. Shows nothing where
 * the browser has no speech recognition. Recognizes on the device where the browser can, and says where the voice goes.
 *
 * @element agent-chat-dictation
 */
export class DictationElement extends ExtraStringsElement {
  static override styles = [
    sharedStyles,
    css`
      :host(:not([hidden])) {
        display: contents;
      }
      .icon-button {
        --_control: max(36px, 1.4em + 14px);
        color: var(--_muted);
      }
      .icon-button[aria-pressed='true'] {
        background: var(--_accent-soft);
        color: var(--_accent-text);
        animation: listen 1.4s ease-in-out infinite alternate;
      }
      @keyframes listen {
        to {
          box-shadow: 0 0 0 4px var(--_accent-soft);
        }
      }
      p {
        position: absolute;
        inset-inline: 0;
        inset-block-end: calc(100% + 6px);
        width: fit-content;
        max-width: 100%;
        margin: 0;
        padding: 6px 12px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_surface);
        box-shadow: var(--_shadow-small);
        font-size: var(--_size-small);
        line-height: 1.4;
        overflow-wrap: anywhere;
      }
      .fault {
        color: var(--_bad);
      }
    `,
  ];

  @state() private isListening = false;
  @state() private note: StringKey | undefined;
  @state() private hasFailed = false;
  #recognition: Recognition | undefined;
  /** The text around what is said. */
  #before = '';
  #after = '';
  /** The composer's text as dictation has left it. */
  #written = '';

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('agent-chat-close', this.#abort);
    document.addEventListener('visibilitychange', this.#abort);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('agent-chat-close', this.#abort);
    document.removeEventListener('visibilitychange', this.#abort);
    this.#abort();
  }

  override render(): unknown {
    const { words, isListening, note, hasFailed } = this;
    if (!recognitionClass()) return nothing;
    const label = words.t(isListening ? 'speech.stop' : 'speech.dictate');
    return html`${
        note
          ? html`<p class=${hasFailed ? 'fault' : ''} dir="auto">
              ${isListening ? `${words.t('speech.listening')} ` : nothing}${words.t(note)}
            </p>`
          : nothing
      }<button
        class="icon-button"
        type="button"
        aria-label=${label}
        title=${label}
        aria-pressed=${isListening ? 'true' : 'false'}
        @click=${this.#toggle}
        @keydown=${this.#onKey}
        @blur=${this.#forgetFault}
      >
        ${icon(microphoneIcon)}
      </button>`;
  }

  get #composer(): Element | undefined {
    const root = this.getRootNode();
    return root instanceof ShadowRoot ? root.host : undefined;
  }

  /** The composer's text field. */
  get #field(): HTMLTextAreaElement | null {
    return this.#composer?.shadowRoot?.querySelector('textarea') ?? null;
  }

  readonly #toggle = (): void => {
    if (!this.#recognition) void this.#start();
    else if (this.isListening) this.#recognition.stop();
    else this.#abort(); // it has not begun, and would not hear `stop`
  };

  async #start(): Promise<void> {
    const Recognizer = recognitionClass();
    const field = this.#field;
    if (!Recognizer || !field) return;
    const recognition = (this.#recognition = new Recognizer());
    recognition.lang = this.words.locale;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.addEventListener('result', (event) => this.#write(event as RecognitionResultEvent)); // its only kind
    recognition.addEventListener('error', (event) => this.#fail((event as RecognitionErrorEvent).error)); // as above
    recognition.addEventListener('end', () => this.#end(recognition));
    const isLocal = await isOnDevice(Recognizer, recognition.lang);
    if (this.#recognition !== recognition) return; // stopped meanwhile
    if (isLocal) recognition.processLocally = true;
    const { value, selectionStart, selectionEnd } = field;
    this.#before = value.slice(0, selectionStart).replace(/(\S)$/, '$1 ');
    this.#after = value.slice(selectionEnd).replace(/^(\S)/, ' $1');
    this.#written = value;
    field.addEventListener('input', this.#onChanged);
    this.#composer?.addEventListener(PanelRequest.type, this.#onChanged);
    try {
      recognition.start();
    } catch {
      this.#fail('failed');
      this.#end(recognition);
      return;
    }
    this.isListening = true;
    this.hasFailed = false;
    this.#showNote(isLocal ? 'speech.on-device' : 'speech.remote');
  }

  /** Puts what was heard into the composer; words that are still uncertain too, they are replaced when they change. */
  #write({ results }: RecognitionResultEvent): void {
    const field = this.#field;
    if (!field) return;
    if (field.value !== this.#written) return this.#abort(); // it was sent, or replaced by the page
    const heard = Array.from(results, (result) => result[0]?.transcript ?? '')
      .join('')
      .trimStart();
    this.#written = this.#before + heard + this.#after;
    field.value = this.#written;
    const caret = this.#before.length + heard.length;
    field.setSelectionRange(caret, caret);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  #fail(error: string): void {
    const isKnown = Object.hasOwn(faults, error);
    const fault = isKnown ? faults[error] : 'speech.failed';
    if (!fault) return;
    this.hasFailed = true;
    this.#showNote(fault);
  }

  #end(recognition: Recognition): void {
    if (this.#recognition !== recognition) return;
    this.#recognition = undefined;
    this.isListening = false;
    if (!this.hasFailed) this.note = undefined;
    this.#field?.removeEventListener('input', this.#onChanged);
    this.#composer?.removeEventListener(PanelRequest.type, this.#onChanged);
  }

  #showNote(note: StringKey): void {
    this.note = note;
    const { words } = this;
    const text = this.hasFailed ? words.t(note) : `${words.t('speech.listening')} ${words.t(note)}`;
    this.dispatchEvent(new AnnounceEvent(text));
  }

  /** The visitor corrects by hand what was heard, or sends it: further words would overwrite it. */
  readonly #onChanged = (): void => {
    if (this.#field?.value !== this.#written) this.#abort();
  };

  readonly #abort = (): void => {
    const recognition = this.#recognition;
    if (!recognition) return;
    recognition.abort();
    this.#end(recognition);
  };

  /** Escape stops dictation, and does not close the chat. */
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#recognition) return;
    event.preventDefault();
    this.#toggle();
  };

  readonly #forgetFault = (): void => {
    if (!this.hasFailed || this.isListening) return;
    this.hasFailed = false;
    this.note = undefined;
  };
}
