import { css } from 'lit';

/** Styles of the last conversation on the welcome page. */
export const lastThreadStyles = css`
  :host(:not([hidden])) {
    display: block;
  }
  button {
    display: flex;
    align-items: center;
    gap: 12px;
    width: 100%;
    min-height: 56px;
    padding: 9px 14px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.2);
    background: var(--_accent-soft);
    text-align: start;
    line-height: 1.4;
    animation: appear var(--_duration-slow) var(--_ease);
  }
  button:hover {
    border-color: var(--_line-field);
    box-shadow: var(--_shadow-small);
  }
  svg {
    color: var(--_accent-text);
  }
  .words {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    flex: 1;
    min-width: 0;
  }
  small {
    display: flex;
    gap: 8px;
    font-size: var(--_size-small);
    color: var(--_muted);
  }
  small > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  strong {
    font-weight: 550;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  time {
    flex: none;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
`;
