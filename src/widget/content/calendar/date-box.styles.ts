import { css } from 'lit';

/** Styles of a date field with a calendar; until it has loaded, the browser's own button is there. */
export const dateBoxStyles = css`
  .date-box {
    position: relative;
    min-inline-size: 0;
  }

  .date-box:has(> agent-chat-calendar:defined) > .field {
    padding-inline-end: 40px;
  }

  .date-box:has(> agent-chat-calendar:defined) > .field::-webkit-calendar-picker-indicator {
    display: none;
  }
`;
