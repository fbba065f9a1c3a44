import { css } from 'lit';

/** Styles of the attachments in the composer. */
export const attachmentsStyles = css`
  :host {
    display: block;
  }
  ul {
    display: flex;
    gap: 6px;
    margin: 0 0 6px;
    padding: 0;
    overflow-y: hidden; /* one row that scrolls sideways */
    list-style: none;
  }
  li {
    position: relative;
    display: flex;
    align-items: center;
    gap: 6px;
    flex: none;
    max-width: 100%;
    padding-inline-start: 8px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    font-size: var(--_size-small);
    overflow: hidden;
  }
  li.failed {
    border-color: var(--_bad);
  }
  .name {
    max-width: 180px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .state {
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .failed .state {
    max-width: 220px;
    color: var(--_bad);
  }
  progress {
    position: absolute;
    inset-inline: 0;
    inset-block-end: 0;
    width: 100%;
    height: 2px;
    border: 0;
    appearance: none;
    background: none;
  }
  progress:indeterminate {
    background: linear-gradient(var(--_accent-text), var(--_accent-text)) no-repeat 0 / 40%;
    animation: wander 1.4s ease-in-out infinite alternate;
  }
  @keyframes wander {
    to {
      background-position: 100%;
    }
  }
  progress:indeterminate::-moz-progress-bar {
    background: none;
  }
  progress::-webkit-progress-bar {
    background: none;
  }
  progress::-webkit-progress-value {
    background: var(--_accent-text);
  }
  progress::-moz-progress-bar {
    background: var(--_accent-text);
  }
  svg {
    width: 15px;
    height: 15px;
  }
  /* the chip clips what is outside of it */
  .icon-button:focus-visible {
    outline-offset: -2px;
  }
  @media (forced-colors: active) {
    .icon-button {
      margin: 2px;
    }
  }
`;
