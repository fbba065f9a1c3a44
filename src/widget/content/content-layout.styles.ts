import { css } from 'lit';

/** Where items lie one under another, what a `pause` holds back is not there yet. The pause brings this sheet along. */
export const contentLayoutStyles = css`
  agent-chat-item[holding] ~ * {
    display: none;
  }
`;
