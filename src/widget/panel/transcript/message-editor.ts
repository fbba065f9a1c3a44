import { css, html, LitElement, nothing } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { visibleText } from '../../../conversation/read-values.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { fieldStyles } from '../../theme/field.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultStrings, type Strings } from '../../i18n/strings.ts';
import { maxMessageLength } from '../../config/max-message-length.ts';

/** The visitor saved an edited message. */
export class MessageSaveEvent extends Event {
  constructor(readonly text: string) {
    super('save');
  }
}

/**
 * An editor for a message that was sent. Takes focus when it opens.
 *
 * @element agent-chat-message-editor
 * @fires save - The visitor saved the text (`MessageSaveEvent`)
 * @fires cancel - The visitor pressed Escape or Cancel
 */
export class MessageEditorElement extends LitElement {
  static override styles = [
    sharedStyles,
    fieldStyles,
    css`
      :host {
        display: block;
        width: 100%;
      }
      form {
        display: grid;
        gap: 8px;
      }
      textarea {
        resize: vertical;
        field-sizing: content;
        max-height: 40cqb;
      }
      .fault {
        margin: 0;
        font-size: var(--_size-small);
        color: var(--_bad);
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
      }
    `,
  ];

  @property() text = '';
  @property({ attribute: false }) words: Strings = defaultStrings;
  @state() private tooLong = 0;
  @query('textarea') private readonly input!: HTMLTextAreaElement;

  protected override firstUpdated(): void {
    this.input.value = this.text;
    this.input.focus();
  }

  override render(): unknown {
    const { words } = this;
    return html`<form @submit=${this.#save} @keydown=${this.#onKey}>
      ${
        this.tooLong > 0
          ? html`<p class="fault" id="fault">${words.t('composer.too-long', { count: this.tooLong })}</p>`
          : nothing
      }
      <textarea
        class="field"
        dir="auto"
        aria-label=${words.t('actions.edit')}
        aria-describedby=${this.tooLong > 0 ? 'fault' : nothing}
        aria-invalid=${this.tooLong > 0 ? 'true' : nothing}
        @input=${this.#onInput}
      ></textarea>
      <div class="buttons">
        <button class="button" type="button" @click=${this.#cancel}>${words.t('actions.cancel')}</button>
        <button class="button main" type="submit">${words.t('actions.save')}</button>
      </div>
    </form>`;
  }

  readonly #cancel = (): boolean => this.dispatchEvent(new Event('cancel'));

  readonly #save = (event: Event): void => {
    event.preventDefault();
    const text = visibleText(this.input.value);
    if (text && this.tooLong === 0) this.dispatchEvent(new MessageSaveEvent(text));
  };

  readonly #onInput = (): void => {
    const tooLong = Math.max(0, this.input.value.length - maxMessageLength);
    if (tooLong > 0 && this.tooLong === 0)
      this.dispatchEvent(new AnnounceEvent(this.words.t('composer.too-long', { count: tooLong })));
    this.tooLong = tooLong;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    // 229: an input method is composing, in engines that do not set `isComposing`
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault(); // keeps a modal dialog of the page around the chat open
      this.#cancel();
    } else if (event.key === 'Enter' && !event.shiftKey && event.target === this.input) {
      this.#save(event);
    }
  };
}
