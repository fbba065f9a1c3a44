import { css } from 'lit';

/** In a list of items, hides what follows an active `pause`. Loaded with the pause element. */
export const contentLayoutStyles = css`
  agent-chat-item[holding] ~ * {
    display: none;
  }
`;
