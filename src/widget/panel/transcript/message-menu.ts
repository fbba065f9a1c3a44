import { css, html, LitElement } from 'lit';
import { property, state } from 'lit/decorators.js';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { copyIcon, doneIcon, editIcon, icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultStrings, type Strings } from '../../i18n/strings.ts';
import { cssZoom } from '../../platform/css-zoom.ts';
import { copyText } from '../../platform/copy-text.ts';
import { defineElement } from '../../platform/define-element.ts';

/** Distance between menu, message and the window's edges, in px. */
const gap = 6;
/** How long "Copied" is shown before the menu closes, in ms. */
const copiedMs = 900;

/**
 * What can be done with the visitor's message, on a touch screen: copy and edit. Closes on Escape, Tab, a press
 * elsewhere and scrolling.
 *
 * @element agent-chat-message-menu
 * @fires edit - The visitor wants to edit the message
 */
class MessageMenuElement extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        position: fixed;
        inset: auto;
        margin: 0;
        padding: 4px;
        border: 0;
        border-radius: var(--_radius);
        background: var(--_surface);
        color: var(--_text);
        box-shadow: var(--_shadow-small);
        font-size: var(--_size);
      }
      .button {
        display: flex;
        justify-content: flex-start;
        gap: 10px;
        width: 100%;
        min-height: 44px;
        padding: 0 18px 0 14px;
        border-color: transparent;
      }
      @media (forced-colors: active) {
        :host {
          border: 1px solid CanvasText;
        }
      }
    `,
  ];

  @property() text = '';
  @property({ attribute: false }) words: Strings = defaultStrings;
  /** The message beside which the menu stands. */
  @property({ attribute: false }) message!: HTMLElement;
  @state() private copied = false;
  readonly #closed = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.popover = 'manual'; // the finger that opened it would dismiss another kind
    this.role = 'menu';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#closed.abort();
  }

  protected override firstUpdated(): void {
    this.showPopover?.();
    this.#place();
    const until = { signal: this.#closed.signal };
    this.addEventListener('keydown', this.#onKey, until);
    window.addEventListener('resize', this.#place, until);
    const leave = (event: Event): void => {
      if (!event.composedPath().includes(this)) this.remove();
    };
    for (const name of ['pointerdown', 'scroll', 'wheel'])
      window.addEventListener(name, leave, { ...until, capture: true });
    // the finger that opened the menu does not click on the message too, which would move the focus there
    this.message.addEventListener('touchend', (event) => event.preventDefault(), { ...until, once: true });
    this.#items[0]?.focus({ preventScroll: true });
  }

  override render(): unknown {
    const { words, copied } = this;
    return html`<button class="button quiet" type="button" role="menuitem" @click=${this.#copy}>
        ${icon(copied ? doneIcon : copyIcon)}${words.t(copied ? 'actions.copied' : 'actions.copy')}
      </button>
      <button class="button quiet" type="button" role="menuitem" tabindex="-1" @click=${this.#edit}>
        ${icon(editIcon)}${words.t('actions.edit')}
      </button>`;
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll('button')];
  }

  /** Below the message, or above it where there is no room, at the side where it ends. */
  readonly #place = (): void => {
    const { top, bottom, left, right } = this.message.getBoundingClientRect();
    const zoom = cssZoom(this);
    const [width, height] = [this.offsetWidth * zoom, this.offsetHeight * zoom];
    const { innerWidth, innerHeight } = window;
    const isRightToLeft = getComputedStyle(this).direction === 'rtl';
    const start = isRightToLeft ? left : right - width;
    const below = bottom + gap + height <= innerHeight - gap ? bottom + gap : top - gap - height;
    this.style.left = `${Math.max(gap, Math.min(start, innerWidth - width - gap)) / zoom}px`;
    this.style.top = `${Math.max(gap, below) / zoom}px`;
  };

  readonly #copy = async (): Promise<void> => {
    if (!(await copyText(this.text, this))) return this.remove();
    this.copied = true;
    this.dispatchEvent(new AnnounceEvent(this.words.t('actions.copied')));
    setTimeout(() => this.remove(), copiedMs);
  };

  readonly #edit = (): void => {
    this.dispatchEvent(new Event('edit'));
    this.remove();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const items = this.#items;
    const at = items.indexOf(this.shadowRoot?.activeElement as HTMLElement); // a button of the menu, if any
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length };
    const next = steps[event.key];
    if (event.key === 'F6') return this.remove(); // and on to the next part of the chat
    if (event.key !== 'Escape' && event.key !== 'Tab' && next === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    if (next === undefined) this.remove();
    else items[next % items.length]?.focus();
  };
}

/** Opens the menu beside a message. */
export function openMessageMenu(
  message: HTMLElement,
  { text, words, onEdit }: { readonly text: string; readonly words: Strings; readonly onEdit: () => void },
): void {
  defineElement('agent-chat-message-menu', MessageMenuElement);
  const menu = document.createElement('agent-chat-message-menu');
  Object.assign(menu, { message, text, words });
  menu.addEventListener('edit', onEdit);
  message.after(menu);
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message-menu': MessageMenuElement;
  }
}
