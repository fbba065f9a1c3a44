import { css } from 'lit';

/** Styles of the welcome page. */
export const welcomeStyles = css`
  :host {
    position: relative;
    isolation: isolate;
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    gap: var(--_space-5);
    flex: 1;
    --_avatar: max(56px, 3.2em);
    --_sky: clamp(0px, 30cqb - 110px, 120px); /* tint above the avatar */
    padding-block: var(--_sky) 2px;
  }
  /* Full-bleed, in the scrolled content: text never stands on the tint, however far it is scrolled. */
  :host::before {
    content: '';
    position: absolute;
    z-index: -1;
    inset-block-start: calc(-1 * var(--_space-4));
    left: 50%;
    width: 100cqi;
    height: calc(var(--_space-4) + var(--_sky) + var(--_avatar) * 0.72);
    transform: translateX(-50%);
    background: var(--_primary);
    mask-image: linear-gradient(#000, rgb(0 0 0 / 0.62) 45%, transparent);
  }
  .avatar {
    border: 3px solid var(--_surface);
    border-radius: calc(var(--_radius) * 1.8);
    background: var(--_primary);
    box-shadow: var(--_shadow-small);
    color: var(--_on-primary);
    font-size: 1.5em;
  }
  .greeting {
    display: grid;
    justify-items: start;
    gap: 6px;
  }
  .avatar + * {
    margin-block-start: var(--_space-3);
  }
  h3,
  p {
    margin: 0;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  h3 {
    font-size: var(--_size-large);
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.01em;
    text-wrap: balance;
  }
  p {
    color: var(--_muted);
  }
  .who {
    font-size: var(--_size-small);
  }
  agent-chat-last-thread {
    margin-block-start: auto;
  }
  agent-chat-last-thread:not(:last-child) {
    margin-block-end: calc(8px - var(--_space-5));
  }
  ul {
    display: grid;
    gap: 8px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: grid;
  }
  .starter {
    display: flex;
    align-items: center;
    gap: 12px;
    width: 100%;
    min-height: 48px;
    padding: 9px 14px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.2);
    background: var(--_surface);
    text-align: start;
    line-height: 1.4;
    transition:
      background-color var(--_duration) var(--_ease),
      border-color var(--_duration) var(--_ease),
      box-shadow var(--_duration) var(--_ease);
  }
  .starter:hover {
    border-color: var(--_line-field);
    box-shadow: var(--_shadow-small);
  }
  .starter > svg {
    color: var(--_accent-text);
    opacity: 0.75;
    transition: transform var(--_duration) var(--_ease);
  }
  .starter:hover > svg {
    transform: translateX(2px);
  }
  .starter:hover > svg:dir(rtl) {
    transform: translateX(-2px) scaleX(-1);
  }
  .icon {
    display: grid;
    place-items: center;
    flex: none;
    width: 32px;
    height: 32px;
    margin-inline-start: -4px;
    border-radius: calc(var(--_radius) * 0.9);
    background: var(--_accent-soft);
    color: var(--_accent-text);
  }
  .words {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  small {
    display: block;
    font-size: var(--_size-small);
    color: var(--_muted);
  }
  /* a sidebar, or a low window: words first */
  @container (max-width: 300px) {
    .starter {
      gap: 8px;
      padding-inline: 12px;
    }
  }
  @container (max-height: 320px) {
    :host::before,
    .avatar {
      display: none;
    }
    .avatar + * {
      margin-block-start: 0;
    }
  }
  /* wide and high: the page keeps together, near the composer */
  @container (min-width: 640px) {
    :host {
      justify-content: end;
      gap: calc(var(--_space-5) * 1.4);
    }
    .greeting {
      justify-items: center;
      text-align: center;
    }
    .greeting:last-child {
      margin-block: auto;
    }
    h3 {
      font-size: calc(var(--_size-large) * 1.25);
    }
    ul {
      grid-template-columns: repeat(auto-fit, minmax(195px, 1fr));
    }
  }
`;
