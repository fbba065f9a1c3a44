import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ConversationItem, ConversationMessage } from '../../../conversation/conversation.ts';
import { asObject } from '../../../conversation/read-values.ts';
import { copyFormats } from '../../platform/copy-formats.ts';
import { loadModule } from '../../platform/load-module.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultStrings, type StringKey, type Strings } from '../../i18n/strings.ts';
import { timeOfDay } from '../../i18n/time-of-day.ts';
import { copyIcon, doneIcon, icon, retryIcon, thumbDownIcon, thumbUpIcon } from '../../theme/icons.ts';
import type { FeedbackSentEvent } from './feedback-form.ts';

const feedbackForm = new LazyElement('agent-chat-feedback-form', () =>
  import('./feedback-form.ts').then((module) => module.FeedbackFormElement),
);

const readAloud = new LazyElement('agent-chat-read-aloud', () =>
  import('../speech/read-aloud.ts').then((module) => module.ReadAloudElement),
);

const copyFailed = 'markdown.copy-failed';

/** Response types without text to copy. */
const typesWithoutText = /^(form|date|button|pause)/;

/**
 * Actions for a finished answer: copy, regenerate, feedback.
 *
 * @element agent-chat-turn-actions
 * @fires agent-chat-request - Regenerate, or feedback
 * @csspart actions
 * @csspart action
 */
export class TurnActionsElement extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
      }
      .row {
        display: flex;
        align-items: center;
        gap: 2px;
        min-height: 32px;
        /* aligns the first icon with the text at any touch target size */
        margin-inline-start: calc(8px - max(30px, var(--_target)) / 2);
        color: var(--_muted);
      }
      .row > button {
        opacity: var(--_actions-opacity, 1);
      }
      .row > [aria-pressed='true'] {
        opacity: 1;
      }
      .row::after {
        content: attr(data-time);
        margin-inline: 6px;
        font-size: var(--_size-tiny);
        opacity: var(--_time-opacity, 0);
      }
      .row > button,
      .row::after {
        transition: opacity var(--_duration) var(--_ease);
      }
      .thanks {
        margin: 0;
        font-size: var(--_size-small);
        color: var(--_muted);
      }
    `,
  ];

  /** The answer, or the question if there is none. */
  @property({ attribute: false }) answer: ConversationMessage | undefined;
  /** The items of the turn's answers, for copying. Without any, there is nothing to rate. */
  @property({ attribute: false }) items: readonly ConversationItem[] = [];
  @property({ type: Boolean }) canRegenerate = false;
  /** True once somebody looks for the time of the answer. */
  @property({ type: Boolean }) dated = false;
  @property({ attribute: false }) reasons: readonly string[] = [];
  /** True when answers can be read aloud. */
  @property({ type: Boolean }) speaks = false;
  @property({ attribute: false }) words: Strings = defaultStrings;
  /** String key of the copy button's label. */
  @state() private copying: StringKey = 'actions.copy';
  @state() private asking = false;
  @state() private thanked = false;
  /** The visitor's rating, known before `answer` has it: clicks can be faster than the next draw. */
  @state() private isGood: boolean | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('answer')) this.isGood = ratingOf(this.answer);
  }

  override render(): unknown {
    const { words, isGood } = this;
    return html`<div
        class="row"
        part="actions"
        role="group"
        aria-label=${words.t('actions.label')}
        data-time=${this.dated ? timeOfDay(this.answer?.createdAt, words) : ''}
      >
        ${this.items.some(({ type }) => !typesWithoutText.test(type)) ? this.renderButton(this.copying, this.#copy) : nothing}
        ${
          this.items[0]
            ? [
                this.renderButton('feedback.good', this.#good, isGood === true && !this.asking),
                this.renderButton('feedback.bad', this.#bad, isGood === false || this.asking),
              ]
            : nothing
        }
        ${this.canRegenerate ? this.renderButton('actions.regenerate', this.#regenerate) : nothing}
        ${this.speaks ? this.renderReadAloud() : nothing}
        ${this.copying === copyFailed ? html`<span class="thanks">${words.t(copyFailed)}</span>` : nothing}
      </div>
      ${this.asking ? this.renderQuestion() : nothing}
      ${this.thanked ? html`<p class="thanks">${words.t('feedback.thanks')}</p>` : nothing}`;
  }

  private renderButton(key: StringKey, act: (event: Event) => unknown, pressed?: boolean): unknown {
    return html`<button
      class="icon-button small"
      part="action"
      type="button"
      aria-label=${this.words.t(key)}
      title=${this.words.t(key)}
      aria-pressed=${pressed ?? nothing}
      @click=${act}
    >
      ${icon(shapes[key] ?? copyIcon)}
    </button>`;
  }

  private renderReadAloud(): unknown {
    readAloud.request(this);
    return html`<agent-chat-read-aloud .items=${this.items} .words=${this.words}></agent-chat-read-aloud>`;
  }

  private renderQuestion(): unknown {
    return html`<agent-chat-feedback-form
      .reasons=${this.reasons}
      .words=${this.words}
      @close=${this.#closeForm}
      @agent-chat-feedback-sent=${this.#send}
    ></agent-chat-feedback-form>`;
  }

  readonly #copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as Element; // save the button: the event clears `currentTarget`
    const { items } = this;
    const formats = import('./answer-formats.ts').then((module) => module.answerFormats(items));
    // texts are Markdown already
    const texts = items.map(({ text }) => text).filter(Boolean);
    const done = await copyFormats(formats, texts.join('\n\n'), button);
    this.copying = done ? 'actions.copied' : copyFailed;
    this.#announce(this.copying);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.copying = 'actions.copy'), 2000);
  };

  readonly #regenerate = (): void => {
    this.dispatchEvent(new PanelRequest({ kind: 'regenerate', messageId: this.answer?.id ?? '' }));
  };

  readonly #good = (): void => {
    this.asking = false;
    this.#sendFeedback(true, '', []);
  };

  readonly #bad = async (): Promise<void> => {
    this.asking = !this.asking;
    this.thanked = false;
    if (!this.asking) return;
    // negative feedback counts at once; reasons may follow
    if (this.isGood !== false) this.#sendFeedback(false, '', []);
    const isThere = await loadModule(this, 'feedback', () => feedbackForm.load().then(() => true));
    if (isThere || !this.asking) return;
    this.#closeForm();
    this.#thank();
  };

  readonly #send = ({ text, categories }: FeedbackSentEvent): void => {
    this.#closeForm();
    this.#sendFeedback(false, text, categories);
  };

  /** Closes the feedback form and returns focus to the button that opened it. */
  readonly #closeForm = (): void => {
    this.asking = false;
    this.renderRoot.querySelector<HTMLElement>('[aria-pressed] + [aria-pressed]')?.focus();
  };

  #announce(key: StringKey): void {
    this.dispatchEvent(new AnnounceEvent(this.words.t(key)));
  }

  #thank(): void {
    this.thanked = true;
    this.#announce('feedback.thanks');
  }

  /** Sends the feedback and thanks the visitor, unless the form is open. */
  #sendFeedback(positive: boolean, text: string, categories: readonly string[]): void {
    if (!this.asking) this.#thank();
    this.isGood = positive;
    this.dispatchEvent(
      new PanelRequest({
        kind: 'feedback',
        messageId: this.answer?.id ?? '',
        feedback: { is_positive: positive, text, selected_categories: [...categories] },
      }),
    );
  }
}

/** The visitor's rating; undefined before they gave any. */
function ratingOf(answer: ConversationMessage | undefined): boolean | undefined {
  for (const state of Object.values(asObject(answer?.messageState?.['content']))) {
    const positive = asObject(asObject(state)['feedback'])['is_positive'];
    if (typeof positive === 'boolean') return positive;
  }
  return undefined;
}

const shapes: Partial<Record<StringKey, typeof copyIcon>> = {
  'actions.copied': doneIcon,
  'actions.regenerate': retryIcon,
  'feedback.good': thumbUpIcon,
  'feedback.bad': thumbDownIcon,
};
