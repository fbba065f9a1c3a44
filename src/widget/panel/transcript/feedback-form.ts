import { css, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { checkboxStyles } from '../../theme/checkbox.styles.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import { fieldStyles } from '../../theme/field.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';

/** The visitor submitted the feedback form. */
export class FeedbackSentEvent extends Event {
  static readonly type = 'agent-chat-feedback-sent';
  constructor(
    readonly text: string,
    readonly categories: readonly string[],
  ) {
    super(FeedbackSentEvent.type);
  }
}

/**
 * A form for negative feedback: reasons to tick and a comment. Takes focus when it opens; the opener restores
 * focus.
 *
 * @element agent-chat-feedback-form
 * @fires agent-chat-feedback-sent - The visitor submitted the form
 * @fires close - The visitor pressed Escape or the Cancel button
 */
export class FeedbackFormElement extends ExtraStringsElement {
  static override styles = [
    sharedStyles,
    fieldStyles,
    checkboxStyles,
    css`
      form {
        display: grid;
        gap: 10px;
        margin-block: 4px 8px;
        padding: 12px;
        border: 1px solid var(--_line);
        border-radius: calc(var(--_radius) * 1.2);
        background: var(--_raised);
      }
      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: 0 16px;
        margin: 0;
        border: 0;
        padding: 0;
      }
      legend,
      .label {
        margin-block-end: 6px;
        padding: 0;
        font-size: var(--_size-small);
        font-weight: 600;
      }
      .reason {
        display: inline-flex;
        align-items: center;
        gap: 8px;
        min-height: max(30px, var(--_target));
        font-size: var(--_size-small);
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
      }
    `,
  ];

  @property({ attribute: false }) reasons: readonly string[] = [];

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('input, textarea')?.focus();
  }

  override render(): unknown {
    const { words } = this;
    return html`<form @submit=${this.#send} @keydown=${this.#onKey}>
      ${
        this.reasons.length > 0
          ? html`<fieldset>
              <legend>${words.t('feedback.why')}</legend>
              ${this.reasons.map(
                (reason) =>
                  html`<label class="reason"
                    ><input type="checkbox" name="reason" value=${reason} />${reason}</label
                  >`,
              )}
            </fieldset>`
          : nothing
      }
      <label
        ><span class="label">${words.t(this.reasons.length > 0 ? 'feedback.comment' : 'feedback.why')}</span>
        <textarea class="field" name="comment" rows="2" maxlength="2000"></textarea>
      </label>
      <div class="buttons">
        <button class="button" type="button" @click=${this.#close}>${words.t('actions.cancel')}</button>
        <button class="button main" type="submit">${words.t('feedback.send')}</button>
      </div>
    </form>`;
  }

  readonly #send = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement); // the listener is on the form above
    const text = String(form.get('comment') ?? '').trim();
    this.dispatchEvent(new FeedbackSentEvent(text, form.getAll('reason').map(String)));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    // 229: the key belongs to an input method
    if (event.key !== 'Escape' || event.keyCode === 229) return;
    event.stopPropagation();
    event.preventDefault(); // keeps a modal dialog of the page around the chat open
    this.#close();
  };

  readonly #close = (): void => {
    this.dispatchEvent(new Event('close'));
  };
}
