import { css, html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ConversationItem } from '../../../conversation/conversation.ts';
import { itemToSpeech } from '../../announcements/item-speech.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import type { StringKey } from '../../i18n/strings.ts';
import { icon, stopIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { chooseVoice, languageOf } from './choose-voice.ts';

const speakerIcon = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 010 6M18 6.5a8 8 0 010 11';

/** How long the browser may take to name its voices, in ms. */
const voicesTimeoutMs = 1_500;
/** Longer pieces are cut off by some engines. */
const longestPiece = 200;

/** The button whose answer is read. */
const current: { reader?: ReadAloudElement | undefined } = {};

/**
 * A button that reads an answer aloud. Shows nothing where the browser cannot speak.
 *
 * @element agent-chat-read-aloud
 */
export class ReadAloudElement extends ExtraStringsElement {
  static override styles = [
    sharedStyles,
    css`
      :host(:not([hidden])) {
        display: contents;
      }
      .icon-button[aria-pressed='true'] {
        opacity: 1;
      }
      .icon-button {
        opacity: var(--_actions-opacity, 1);
      }
      span {
        font-size: var(--_size-small);
      }
    `,
  ];

  @property({ attribute: false }) items: readonly ConversationItem[] = [];
  @state() private isReading = false;
  @state() private fault: StringKey | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('agent-chat-close', this.#stop);
    window.addEventListener('pagehide', this.#stop);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('agent-chat-close', this.#stop);
    window.removeEventListener('pagehide', this.#stop);
    this.#stop();
  }

  override render(): unknown {
    const { words, isReading, fault } = this;
    if (!('speechSynthesis' in globalThis)) return nothing;
    const label = words.t(isReading ? 'speech.stop-reading' : 'speech.read');
    return html`<button
        class="icon-button small"
        type="button"
        aria-label=${label}
        title=${label}
        aria-pressed=${isReading ? 'true' : 'false'}
        @click=${() => (this.isReading ? this.#stop() : this.#read())}
      >
        ${isReading ? icon(stopIcon, 'filled') : icon(speakerIcon)}</button
      >${fault ? html`<span dir="auto">${words.t(fault)}</span>` : nothing}`;
  }

  async #read(): Promise<void> {
    current.reader?.stop();
    current.reader = this;
    this.isReading = true;
    this.fault = undefined;
    const { words } = this;
    const text = this.items
      .map((item) => itemToSpeech(item, words))
      .filter(Boolean)
      .join('\n');
    const language = languageOf(text, words.locale);
    const voice = chooseVoice(await voices(), language);
    if (current.reader !== this) return;
    if (!voice) return this.#fail('speech.no-voice');
    const pieces = piecesOf(text, language);
    if (pieces.length === 0) return this.#stop();
    speechSynthesis.cancel(); // of another widget, or left over
    for (const [index, piece] of pieces.entries()) {
      const utterance = new SpeechSynthesisUtterance(piece);
      utterance.voice = voice;
      utterance.lang = voice.lang;
      utterance.onerror = ({ error }) => {
        if (current.reader === this && error !== 'canceled' && error !== 'interrupted')
          this.#fail('speech.read-failed');
      };
      if (index === pieces.length - 1) utterance.onend = () => current.reader === this && this.#stop();
      speechSynthesis.speak(utterance);
    }
  }

  /** Stops reading. */
  stop(): void {
    this.#stop();
  }

  readonly #stop = (): void => {
    this.isReading = false;
    if (current.reader !== this) return;
    current.reader = undefined;
    speechSynthesis.cancel();
  };

  #fail(fault: StringKey): void {
    this.#stop();
    this.fault = fault;
    this.dispatchEvent(new AnnounceEvent(this.words.t(fault)));
  }
}

/** The voices of the browser; some engines name them only after a while. */
async function voices(): Promise<SpeechSynthesisVoice[]> {
  const known = speechSynthesis.getVoices();
  if (known.length > 0) return known;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, voicesTimeoutMs);
    const heard = (): void => {
      clearTimeout(timer);
      resolve();
    };
    speechSynthesis.addEventListener('voiceschanged', heard, { once: true });
  });
  return speechSynthesis.getVoices();
}

/** Splits a text at its sentences, and long sentences at words. */
function piecesOf(text: string, language: string): string[] {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' });
  return [...sentences.segment(text)]
    .flatMap(
      ({ segment }) =>
        segment.match(new RegExp(`.{1,${longestPiece}}(?:\\s|$)|.{1,${longestPiece}}`, 'gsu')) ?? [],
    )
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}
