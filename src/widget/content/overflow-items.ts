import { css } from 'lit';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { contentStyles } from './content.styles.ts';
import { innerItems, type Fields } from './read-item.ts';

/**
 * Shows further items of a message that has several hundred, page by page.
 *
 * @summary The rest of a message of thousands of items.
 * @element agent-chat-overflow-items
 */
export class OverflowItemsElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        align-items: stretch;
        gap: 10px;
      }

      .button {
        align-self: start;
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    return this.renderInner(innerItems(fields['items'], this.item, 'items'));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-overflow-items': OverflowItemsElement;
  }
}
