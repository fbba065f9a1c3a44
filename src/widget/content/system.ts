import { css, html, nothing } from 'lit';
import { errorIcon, infoIcon, warningIcon } from '../theme/item-icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { firstText, text, type Fields } from './read-item.ts';

const variants = {
  info: { shape: infoIcon, tone: '' },
  warning: { shape: warningIcon, tone: 'warn' },
  separator: { shape: undefined, tone: 'line' },
  warn: { shape: warningIcon, tone: 'warn' },
  error: { shape: errorIcon, tone: 'bad' },
} as const;

/**
 * A small line between messages, from the system rather than the agent.
 *
 * @summary A system line.
 * @element agent-chat-system
 * @csspart item-notice - The line.
 */
export class SystemElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      p {
        display: flex;
        align-items: baseline;
        justify-content: center;
        gap: 6px;
        margin: 0;
        color: var(--_muted);
        font-size: var(--_size-small);
        text-align: center;
      }

      .warn {
        color: var(--_warn);
      }

      .bad {
        color: var(--_bad);
      }

      .line::before,
      .line::after {
        content: '';
        flex: 1;
        min-inline-size: 12px;
        border-block-end: 1px solid var(--_line);
        translate: 0 -4px;
      }

      svg {
        inline-size: 14px;
        block-size: 14px;
        translate: 0 2px;
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    const words = firstText(fields['title'], fields['text'], fields['description']);
    if (!words) return nothing;
    const name = text(fields['variant'], 20);
    const variant = Object.entries(variants).find(([key]) => key === name)?.[1];
    return html`<p part="item-notice" class=${variant?.tone || nothing}>
      ${variant?.shape ? icon(variant.shape) : nothing}<span dir="auto">${words}</span>
    </p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-system': SystemElement;
  }
}
