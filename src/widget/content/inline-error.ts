import { html, nothing } from 'lit';
import { errorIcon } from '../theme/item-icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderDetails } from './content-templates.ts';
import { icon } from '../theme/icons.ts';
import { contentStyles } from './content.styles.ts';
import { firstText, text, type Fields } from './read-item.ts';

/**
 * An error inside an answer, in the agent's words. `debug` is for developers: shown with `preview` only.
 *
 * @summary An error in an answer.
 * @element agent-chat-inline-error
 * @csspart item-notice - The notice.
 */
export class InlineErrorElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles];

  protected override renderContent(fields: Fields): unknown {
    const words = text(fields['text'], 4000).trim() || firstText(fields['message'], fields['title']);
    return html`<div class="notice bad" part="item-notice">
      ${icon(errorIcon)}
      <div>
        <div dir="auto">${words || this.t('status.failed')}</div>
        ${this.context.preview ? renderDetails(this.context.words, fields['debug']) : nothing}
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-inline-error': InlineErrorElement;
  }
}
