import { css, html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { sharedStyles } from '../../theme/shared.styles.ts';

/** @summary A citation mark was pressed. */
export class CitationSelectEvent extends Event {
  static readonly eventName = 'agent-chat-mark-select';
  /** Number of the source, from 1. */
  readonly number: number;

  constructor(number: number) {
    super(CitationSelectEvent.eventName, { bubbles: true, composed: true });
    this.number = number;
  }
}

/**
 * A number in a text that refers to a source.
 *
 * @summary A citation mark.
 * @element agent-chat-citation-mark
 * @fires {CitationSelectEvent} agent-chat-mark-select - The visitor wants to see the source.
 * @csspart citation-mark - The button.
 */
export class CitationMarkElement extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        white-space: nowrap;
      }

      /* keeps the number on the same line as the word before it */
      :host::before {
        content: '\\2060';
      }

      button {
        position: relative;
        display: inline-grid;
        place-items: center;
        min-inline-size: 1.45em;
        block-size: 1.45em;
        margin-inline-start: 3px;
        padding: 0 3px;
        border: 0;
        border-radius: 5px;
        background: var(--_accent-soft);
        color: var(--_accent-text);
        font: inherit;
        font-weight: 600;
        font-size: 0.7333em;
        line-height: 1;
        vertical-align: 0.18em;
      }

      button::after {
        content: '';
        position: absolute;
        inset: -4px;
      }

      button:hover {
        background: var(--_accent);
        color: var(--_on-accent);
      }

      /* without its background, the number would not look like a button */
      @media (forced-colors: active) {
        button {
          border: 1px solid;
        }
      }
    `,
  ];

  /** Number of the source, from 1. */
  @property({ type: Number }) number = 0;
  /** Number and title, for assistive technology. */
  @property({ attribute: false }) label = '';

  override render(): unknown {
    return html`<button part="citation-mark" aria-label=${this.label} @click=${this.#select}>
      ${this.number}
    </button>`;
  }

  #select(): void {
    this.dispatchEvent(new CitationSelectEvent(this.number));
  }
}

declare global {
  interface HTMLElementEventMap {
    'agent-chat-mark-select': CitationSelectEvent;
  }
  interface HTMLElementTagNameMap {
    'agent-chat-citation-mark': CitationMarkElement;
  }
}
