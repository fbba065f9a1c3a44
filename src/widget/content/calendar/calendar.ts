import { html, LitElement, nothing } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { backIcon, calendarIcon, removeIcon } from '../../theme/item-icons.ts';
import { icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import type { Strings } from '../../i18n/strings.ts';
import { LayoutWatch } from '../layout-watch.ts';
import { placePopover } from '../place-popover.ts';
import { popoverStyles } from '../popover.styles.ts';
import { writeField } from '../write-field.ts';
import { addMonths, dayByKey, dayOf, firstDayOfWeek, isoOf, today, weeksOf } from './calendar-days.ts';
import { calendarStyles } from './calendar.styles.ts';
import { trapFocus } from '../../platform/trap-focus.ts';

/**
 * A calendar for the date field before it. The field stays the place to type a date in; a chosen day is written into
 * it, as if typed. Follows the pattern of the date picker dialog.
 *
 * @summary A calendar beside a date field.
 * @element agent-chat-calendar
 * @source ARIA Authoring Practices Guide, "Date Picker Dialog Example"
 */
export class CalendarElement extends LitElement {
  static override styles = [sharedStyles, popoverStyles, calendarStyles];

  @property({ attribute: false }) words!: Strings;
  /** Name of the field. */
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) disabled = false;
  /** The day that has the focus; undefined while the calendar is closed. */
  @state() private day: Date | undefined;
  @query('button') private button!: HTMLButtonElement;
  @query('.calendar') private dialog!: HTMLElement;
  readonly #layout = new LayoutWatch(() => this.#place());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.day = undefined; // the browser closes the dialog without an event
    this.#layout.stop();
  }

  protected override firstUpdated(): void {
    // some engines open their own calendar
    this.#field?.addEventListener('click', (event) => event.preventDefault());
  }

  override render(): unknown {
    const { value = '' } = this.#field ?? {};
    const { label } = this;
    const name = `${label}${/\p{P}$/u.test(label) ? '' : ':'} ${this.words.t('date.missing')}`;
    return html`<button
        type="button"
        class="icon-button small"
        aria-label=${name}
        aria-description=${value ? this.#spelled(value) : nothing}
        aria-haspopup="dialog"
        aria-expanded=${this.day ? 'true' : 'false'}
        ?disabled=${this.disabled}
        @click=${this.#toggle}
        @focus=${() => this.requestUpdate() /* the field may have another day */}
      >
        ${icon(calendarIcon)}
      </button>
      <div
        class="calendar popover"
        popover="auto"
        role="dialog"
        aria-modal="true"
        aria-label=${name}
        @toggle=${this.#onToggle}
        @click=${keepFocus}
        @keydown=${this.#onKey}
      >
        ${this.day ? this.renderMonth(this.day) : nothing}
      </div>`;
  }

  private renderMonth(day: Date): unknown {
    const month = this.#format({ month: 'long', year: 'numeric' });
    const step = (count: -1 | 1): unknown => {
      const other = addMonths(day, count);
      const word = this.words.t(count < 0 ? 'carousel.previous' : 'carousel.next');
      return html`<button
        type="button"
        class="icon-button small"
        aria-label="${word}: ${month(other)}"
        @click=${() => this.#show(other, false)}
      >
        ${count < 0 ? icon(backIcon, 'directional') : icon('M9 6l6 6-6 6', 'directional')}
      </button>`;
    };
    const chosen = this.#field?.value ?? '';
    return html`<div class="head">
        ${step(-1)}
        <h2 aria-live="polite">${month(day)}</h2>
        ${step(1)}
      </div>
      <table role="grid" aria-label=${month(day)}>
        ${this.renderDays(day, chosen)}
      </table>
      <div class="foot">
        <button type="button" class="button" @click=${() => this.#choose(today())}>${this.#todayWord}</button>
        ${
          chosen
            ? html`<button
                type="button"
                class="icon-button small"
                aria-label=${this.words.t('form.remove', { name: this.#spelled(chosen) })}
                @click=${() => this.#write('')}
              >
                ${icon(removeIcon)}
              </button>`
            : nothing
        }
      </div>`;
  }

  private renderDays(day: Date, chosen: string): unknown {
    const weeks = weeksOf(day, this.#firstDay);
    const long = this.#format({ weekday: 'long' });
    const number = new Intl.NumberFormat(this.words.locale);
    const current = isoOf(today());
    // the second week is whole in every month
    const head = (weeks[1] ?? []).flatMap((date) => date ?? []);
    const fits = (format: (date: Date) => string): boolean => head.every((date) => format(date).length < 5);
    const shorter = this.#format({ weekday: 'short' });
    const short = fits(shorter) ? shorter : this.#format({ weekday: 'narrow' });
    return html`<thead>
        <tr>
          ${head.map((date) => html`<th scope="col" abbr=${long(date)}>${short(date)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (week) =>
            html`<tr>
              ${week.map((date) => {
                if (!date) return html`<td></td>`;
                const iso = isoOf(date);
                return html`<td
                  role="gridcell"
                  tabindex=${iso === isoOf(day) ? 0 : -1}
                  aria-label=${this.#spelled(iso)}
                  aria-selected=${iso === chosen ? 'true' : 'false'}
                  aria-current=${iso === current ? 'date' : nothing}
                  aria-disabled=${this.#isAllowed(date) ? nothing : 'true'}
                  @click=${() => this.#choose(date)}
                >
                  ${number.format(date.getUTCDate())}
                </td>`;
              })}
            </tr>`,
        )}
      </tbody>`;
  }

  get #field(): HTMLInputElement | undefined {
    return this.parentElement?.querySelector<HTMLInputElement>(':scope > input') ?? undefined;
  }

  get #firstDay(): number {
    return firstDayOfWeek(this.words.locale);
  }

  get #todayWord(): string {
    const word = new Intl.RelativeTimeFormat(this.words.locale, { numeric: 'auto' }).format(0, 'day');
    return word.charAt(0).toLocaleUpperCase(this.words.locale) + word.slice(1);
  }

  #format(options: Intl.DateTimeFormatOptions): (day: Date) => string {
    const format = new Intl.DateTimeFormat(this.words.locale, {
      ...options,
      calendar: 'gregory',
      timeZone: 'UTC',
    });
    return (day) => format.format(day);
  }

  #spelled(iso: string): string {
    const day = dayOf(iso);
    return day ? this.#format({ dateStyle: 'full' })(day) : iso;
  }

  /** Whether the field accepts a day. */
  #isAllowed(day: Date): boolean {
    const { min = '', max = '' } = this.#field ?? {};
    const iso = isoOf(day);
    return (!min || iso >= min) && (!max || iso <= max);
  }

  #toggle(): void {
    if (this.day) return this.dialog.hidePopover();
    const { value = '', min = '', max = '' } = this.#field ?? {};
    const [first, last] = [dayOf(min), dayOf(max)];
    const start = dayOf(value) ?? today();
    this.day = first && start < first ? first : last && start > last ? last : start;
    this.dialog.showPopover();
    this.#show(this.day, true);
    this.#layout.start();
  }

  #onToggle(event: ToggleEvent): void {
    if (event.newState === 'open') return;
    const hadFocus = this.dialog.contains(this.shadowRoot?.activeElement ?? null);
    this.day = undefined;
    this.#layout.stop();
    if (hadFocus) this.button.focus();
  }

  #show(day: Date, focus: boolean): void {
    this.day = day;
    void this.updateComplete.then(() => {
      this.#place();
      if (focus) this.renderRoot.querySelector<HTMLElement>('td[tabindex="0"]')?.focus();
    });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing || !this.day) return;
    const isInGrid = event.target instanceof HTMLTableCellElement;
    const next = isInGrid
      ? dayByKey(this.day, {
          name: event.key,
          shift: event.shiftKey,
          rtl: this.matches(':dir(rtl)'),
          firstDay: this.#firstDay,
        })
      : undefined;
    if (next) this.#show(next, true);
    else if (event.key === 'Escape') this.dialog.hidePopover();
    else if (isInGrid && (event.key === 'Enter' || event.key === ' ')) this.#choose(this.day);
    else if (event.key !== 'Tab' || !trapFocus(this.#stops, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation(); // Escape closes the calendar, not the chat
  }

  get #stops(): readonly HTMLElement[] {
    return [...this.dialog.querySelectorAll<HTMLElement>('button, td[tabindex="0"]')];
  }

  #choose(day: Date): void {
    if (this.#isAllowed(day)) this.#write(isoOf(day));
    else this.#show(day, true);
  }

  /** Writes into the field as a visitor would, and closes. */
  #write(value: string): void {
    const field = this.#field;
    this.dialog.hidePopover();
    this.button.focus();
    if (field) writeField(field, value);
  }

  #place(): void {
    if (this.#field) placePopover(this.dialog, this.#field);
  }
}

/** The field may be in a label, which would take the focus. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-calendar': CalendarElement;
  }
}
