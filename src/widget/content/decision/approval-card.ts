import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { waitForActingStrings } from '../../i18n/acting-strings.ts';
import { fieldStyles } from '../../theme/field.styles.ts';
import type { StringKey } from '../../i18n/strings.ts';
import { icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { contentStyles } from '../content.styles.ts';
import type { Fields } from '../read-item.ts';
import type { Argument } from './argument-schema.ts';
import { argumentStyles } from './arguments.styles.ts';
import { iconOf } from './decision-look.ts';
import { decisionStyles } from './decision.styles.ts';
import { renderArguments } from './render-arguments.ts';
import { focusLine } from './render-settled.ts';

/** A question before something is done. */
interface Question {
  readonly ask: string;
  readonly title: string;
  /** Lines below the title. */
  readonly about: unknown;
  /** Arguments and buttons. */
  readonly body: unknown;
  readonly onKeydown?: (event: KeyboardEvent) => void;
}

/** Delay until a card requests its state again, in ms: the code that answers may have failed to load. */
const retryMs = 5_000;

/**
 * Base class of the cards that ask before something is done. While a card is in the document, it watches the state of
 * its question. It renders once its strings are loaded, and keeps focus inside when its buttons go.
 */
export abstract class ApprovalCardElement extends ContentElement {
  static override styles = [sharedStyles, fieldStyles, contentStyles, argumentStyles, decisionStyles];

  /** Paths of the long arguments that the visitor unfolded. */
  @state() private unfolded: ReadonlySet<string> = new Set();
  /** Whether the strings of decisions and page tools are loaded. */
  protected hasStrings = false;
  /** Whether the state of the question is known, or known to be unavailable. */
  protected isKnown = false;
  #connection = new AbortController();
  #watching: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whether the card had the focus before it was rendered again. */
  #hadFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#connection = new AbortController();
    this.#timer = setInterval(() => this.#retry(), retryMs);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#connection.abort();
    this.#watching = undefined;
  }

  #retry(): void {
    if (this.isKnown) return clearInterval(this.#timer);
    if (!this.#watching) return;
    this.#connection.abort();
    this.#connection = new AbortController();
    this.#watching = this.startWatch(this.#connection.signal);
  }

  /**
   * Watches the state of the question until `signal` aborts. The first rendering waits for the promise, so that no
   * button appears only to disappear; `signal` resolves it, too.
   */
  protected abstract startWatch(signal: AbortSignal): Promise<void>;

  protected override async scheduleUpdate(): Promise<void> {
    const { words } = (this.context as Partial<typeof this.context> | undefined) ?? {};
    if (words && this.isConnected) await (this.#watching ??= this.startWatch(this.#connection.signal));
    if (words) {
      await waitForActingStrings(() => this.context.words);
      this.hasStrings = true;
    }
    await super.scheduleUpdate();
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.shadowRoot?.activeElement != null;
  }

  protected override updated(): void {
    if (this.#hadFocus && !this.shadowRoot?.activeElement) focusLine(this.renderRoot);
  }

  protected renderQuestion({ ask, title, about, body, onKeydown }: Question): unknown {
    return html`<div
      class="card open"
      part="item-frame"
      role="group"
      aria-labelledby="state title"
      @keydown=${onKeydown}
    >
      <p class="state strip" id="state" part="item-badge" tabindex="-1">
        ${icon(iconOf('asked'))}<span dir="auto">${ask}</span>
      </p>
      <div class="body">
        <div class="what">
          <p class="title" id="title" part="item-title" dir="auto">${title}</p>
          ${about}
        </div>
        <div class="rest">${body}</div>
      </div>
    </div>`;
  }

  /** Renders a button of the question. The second click of two is no decision. */
  protected renderButton(
    key: StringKey,
    onClick: () => void,
    { style, isDisabled = false }: { readonly style: string; readonly isDisabled?: boolean },
  ): unknown {
    return html`<button
      class="button ${style}"
      type="button"
      part="item-button"
      aria-describedby="title"
      aria-disabled=${isDisabled ? 'true' : nothing}
      @click=${(event: MouseEvent) => {
        if (!isDisabled && event.detail < 2) onClick();
      }}
    >
      ${this.t(key)}
    </button>`;
  }

  /** Renders the first arguments, and a button that shows more. @param limit number of arguments rendered */
  protected renderArgumentList(all: readonly Argument[], root: Fields, limit?: number): unknown {
    const { shown, more } = this.someOf(all, limit);
    return html`${renderArguments(shown, {
      words: this.context.words,
      root,
      unfolded: this.unfolded,
      onUnfold: (path) => (this.unfolded = new Set([...this.unfolded, path])),
    })}${more}`;
  }
}
