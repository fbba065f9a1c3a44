import { html, LitElement } from 'lit';
import { property, query } from 'lit/decorators.js';
import { defaultStrings, type Strings } from '../../i18n/strings.ts';
import { closeIcon, icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { lightboxStyles } from './lightbox.styles.ts';

const [least, most] = [1, 6];

/**
 * A picture over the whole page. Two fingers, the wheel with Ctrl, `+` and `-` change its size, `0` fits it again;
 * Escape and a click beside it close it.
 *
 * @summary A picture over the whole page.
 * @element agent-chat-lightbox
 * @fires close - It was closed.
 */
export class LightboxElement extends LitElement {
  static override styles = [sharedStyles, lightboxStyles];

  @property() source = '';
  @property() description = '';
  @property({ attribute: false }) words: Strings = defaultStrings;
  @query('dialog') private dialog!: HTMLDialogElement;
  @query('.stage') private stage!: HTMLElement;
  @query('img') private picture!: HTMLImageElement;
  #zoom = 1;
  readonly #fingers = new Map<number, PointerEvent>();
  #spread = 0;

  protected override firstUpdated(): void {
    this.dialog.showModal();
  }

  override render(): unknown {
    const { words } = this;
    return html`<dialog
      aria-label=${this.description || words.t('media.image')}
      @close=${() => this.dispatchEvent(new Event('close'))}
      @keydown=${this.#onKey}
      @click=${({ target }: Event) => {
        if (!(target instanceof HTMLImageElement)) this.dialog.close();
      }}
    >
      <div
        class="stage"
        tabindex="0"
        @wheel=${{ handleEvent: this.#onWheel, passive: false }}
        @pointerdown=${this.#onFinger}
        @pointermove=${this.#onFinger}
        @pointerup=${this.#onFingerUp}
        @pointercancel=${this.#onFingerUp}
      >
        <img src=${this.source} alt=${this.description} draggable="false" referrerpolicy="no-referrer" />
      </div>
      <button
        class="icon-button"
        type="button"
        aria-label=${words.t('panel.close')}
        title=${words.t('panel.close')}
      >
        ${icon(closeIcon)}
      </button>
    </dialog>`;
  }

  /** @param x with `y`: the point of the window at which the picture stays. Default: the middle */
  #setZoom(zoom: number, x = innerWidth / 2, y = innerHeight / 2): void {
    const before = this.picture.getBoundingClientRect();
    this.#zoom = Math.min(most, Math.max(least, zoom));
    this.style.setProperty('--_zoom', String(this.#zoom));
    const after = this.picture.getBoundingClientRect();
    const grown = after.width / before.width;
    this.stage.scrollBy(after.x - x + (x - before.x) * grown, after.y - y + (y - before.y) * grown);
  }

  /** Escape closes the picture only, not the chat around it. */
  readonly #onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') this.#setZoom(this.#zoom * 1.25);
    if (event.key === '-') this.#setZoom(this.#zoom / 1.25);
    if (event.key === '0') this.#setZoom(1);
  };

  /** A pinch on a touch pad is a wheel with Ctrl. */
  readonly #onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#setZoom(this.#zoom * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
  };

  readonly #onFinger = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && !this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, event);
    const [one, other] = [...this.#fingers.values()];
    if (!one || !other) return;
    const spread = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (event.type === 'pointermove' && this.#spread > 0)
      this.#setZoom(
        (this.#zoom * spread) / this.#spread,
        (one.clientX + other.clientX) / 2,
        (one.clientY + other.clientY) / 2,
      );
    this.#spread = spread;
  };

  readonly #onFingerUp = ({ pointerId }: PointerEvent): void => {
    this.#fingers.delete(pointerId);
    this.#spread = 0;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-lightbox': LightboxElement;
  }
}
