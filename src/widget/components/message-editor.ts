import { css, html, LitElement } from 'lit';
import { property, query } from 'lit/decorators.js';
import { sharedStyles } from '../theme/shared.styles.ts';
import { defaultWords, type Words } from '../words.ts';

/** What was said is to be said otherwise. */
export class MessageSaveEvent extends Event {
  constructor(readonly text: string) {
    super('save');
  }
}

/**
 * Where a visitor says otherwise what was said. Has focus as soon as it is there.
 *
 * @element agent-chat-message-editor
 */
export class MessageEditorElement extends LitElement {
  static override styles = [
    sharedStyles,
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
      .buttons {
        display: flex;
        justify-content: flex-end;
        gap: 8px;
      }
    `,
  ];

  @property() text = '';
  @property({ attribute: false }) words: Words = defaultWords;
  @query('textarea') private readonly input!: HTMLTextAreaElement;

  protected override firstUpdated(): void {
    this.input.value = this.text;
    this.input.focus();
  }

  override render(): unknown {
    const { words } = this;
    return html`<form @submit=${this.#save} @keydown=${this.#onKey}>
      <textarea class="field" dir="auto" aria-label=${words.say('actions.edit')}></textarea>
      <div class="buttons">
        <button class="button quiet" type="button" @click=${this.#cancel}>
          ${words.say('actions.cancel')}
        </button>
        <button class="button main" type="submit">${words.say('actions.save')}</button>
      </div>
    </form>`;
  }

  readonly #cancel = (): boolean => this.dispatchEvent(new Event('cancel'));

  readonly #save = (event: Event): void => {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text) this.dispatchEvent(new MessageSaveEvent(text));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#cancel();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      this.#save(event);
    }
  };
}
