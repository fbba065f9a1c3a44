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

/** How long the browser may take to list its voices, in ms. */
const voicesTimeoutMs = 1_500;
/** Length in characters of the longest piece; some engines cut off longer ones. */
const maxPieceLength = 200;

/** The reading in progress. The browser reads one text at a time. */
const current: { reading?: { readonly stop: () => void } | undefined } = {};

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
  @state() private failure: StringKey | undefined;

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
    const { words, isReading, failure } = this;
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
      >${failure ? html`<span dir="auto">${words.t(failure)}</span>` : nothing}`;
  }

  async #read(): Promise<void> {
    current.reading?.stop();
    const reading = (current.reading = { stop: this.#stop });
    // an earlier reading may report its end late: some engines do that after `cancel`
    const isOver = (): boolean => current.reading !== reading;
    this.isReading = true;
    this.failure = undefined;
    const { words } = this;
    const text = this.items
      .map((item) => itemToSpeech(item, words))
      .filter(Boolean)
      .join('\n');
    const language = languageOf(text, words.locale);
    const voice = chooseVoice(await voices(), language);
    if (isOver()) return;
    if (!voice) return this.#fail('speech.no-voice');
    const pieces = piecesOf(text, language);
    if (pieces.length === 0) return this.#stop();
    speechSynthesis.cancel(); // of another widget, or left over
    for (const [index, piece] of pieces.entries()) {
      const utterance = new SpeechSynthesisUtterance(piece);
      utterance.voice = voice;
      utterance.lang = voice.lang;
      utterance.onerror = ({ error }) => {
        if (!isOver() && error !== 'canceled' && error !== 'interrupted') this.#fail('speech.read-failed');
      };
      if (index === pieces.length - 1) utterance.onend = () => isOver() || this.#stop();
      speechSynthesis.speak(utterance);
    }
  }

  readonly #stop = (): void => {
    this.isReading = false;
    if (current.reading?.stop !== this.#stop) return;
    current.reading = undefined;
    speechSynthesis.cancel();
  };

  #fail(failure: StringKey): void {
    this.#stop();
    this.failure = failure;
    this.dispatchEvent(new AnnounceEvent(this.words.t(failure)));
  }
}

/** The voices of the browser. Some engines list them only after a while. */
async function voices(): Promise<SpeechSynthesisVoice[]> {
  const known = speechSynthesis.getVoices();
  if (known.length > 0) return known;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, voicesTimeoutMs);
    speechSynthesis.addEventListener('voiceschanged', () => resolve(), { once: true });
  });
  return speechSynthesis.getVoices();
}

/** Splits a text at its sentences, and long sentences at words. */
function piecesOf(text: string, language: string): string[] {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' });
  return [...sentences.segment(text)]
    .flatMap(
      ({ segment }) =>
        segment.match(new RegExp(`.{1,${maxPieceLength}}(?:\\s|$)|.{1,${maxPieceLength}}`, 'gsu')) ?? [],
    )
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}
