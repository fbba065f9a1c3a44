import { css, html, nothing } from 'lit';
import { defineElement } from '../../platform/define-element.ts';
import type { Strings } from '../../i18n/strings.ts';

/** The field of a calendar. */
export interface CalendarOptions {
  /** Its name, for the button of the calendar. */
  readonly label: string;
  readonly words: Strings;
  /** Whether it takes no date now. */
  readonly isDisabled: boolean;
}

/**
 * Renders a date field with a calendar of our own. Where a finger is the pointer, the calendar
 * of the device stays: it is larger, and people know it.
 * @param input the date field
 */
export function renderWithCalendar(input: unknown, { label, words, isDisabled }: CalendarOptions): unknown {
  const isOurs = 'popover' in HTMLElement.prototype && !matchMedia('(pointer: coarse)').matches;
  if (isOurs) void loadCalendar();
  return html`<div class="date-box">
    ${input}${isOurs ? html`<agent-chat-calendar .words=${words} .label=${label} .disabled=${isDisabled}></agent-chat-calendar>` : nothing}
  </div>`;
}

async function loadCalendar(): Promise<void> {
  if (customElements.get('agent-chat-calendar')) return;
  // without it, the browser's own calendar stays
  const module = await import('./calendar.ts').catch(() => undefined);
  if (module) defineElement('agent-chat-calendar', module.CalendarElement);
}

/** Styles of a date field with a calendar; until it has loaded, the browser's own button is there. */
export const dateBoxStyles = css`
  .date-box {
    position: relative;
    min-inline-size: 0;
  }

  /* a date is written from left to right, whatever the direction of its field; WebKit has to be told */
  .date-box:dir(rtl) > .field {
    text-align: right;
  }

  .date-box:dir(rtl) > .field::-webkit-datetime-edit-fields-wrapper {
    direction: ltr;
    justify-content: end;
  }

  .date-box:has(> agent-chat-calendar:defined) > .field {
    padding-inline-end: 40px;
  }

  .date-box:has(> agent-chat-calendar:defined) > .field::-webkit-calendar-picker-indicator {
    display: none;
  }

  /* Firefox: the browser's own button cannot be hidden; ours covers it */
  @supports not selector(::-webkit-calendar-picker-indicator) {
    .date-box:has(> agent-chat-calendar:defined) > .field:not([readonly]) {
      padding-inline-end: 8px;
    }

    .field:not([readonly]) + agent-chat-calendar {
      inset-block: 1px;
      border-radius: var(--_radius);
      background: var(--_surface);
    }
  }
`;
