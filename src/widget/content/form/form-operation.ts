import { css, html, nothing } from 'lit';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { renderDataList } from './answer-list.ts';
import { ContentElement } from '../content-element.ts';
import { doneIcon, icon } from '../../theme/icons.ts';
import { contentStyles } from '../content.styles.ts';
import { asObject, type Fields } from '../read-item.ts';

/**
 * Shows the answers of a form that was sent or cancelled.
 *
 * @summary The answers to a form.
 * @element agent-chat-form-operation
 * @csspart answer - The answers.
 */
export class FormOperationElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      .outcome {
        display: flex;
        align-items: center;
        gap: 6px;
        margin: 0;
        font-size: var(--_size-small);
        font-weight: 550;
      }

      dl {
        margin-block-start: var(--_space-2);
      }

      dt {
        color: inherit;
        opacity: 0.8;
      }
    `,
  ];

  protected override renderContent(fields: Fields): unknown {
    const cancelled = fields['form_operation'] === 'cancel';
    // the visitor's own answers are shown in the form, which can mask passwords
    const hidesAnswers = cancelled || this.context.message.role === 'user';
    return html`
      <p class="outcome">
        ${cancelled ? nothing : icon(doneIcon)}${this.t(cancelled ? 'form.cancelled' : 'form.submitted')}
      </p>
      ${hidesAnswers ? nothing : renderDataList(asObject(fields['form_data']), this.context.words)}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-form-operation': FormOperationElement;
  }
}
