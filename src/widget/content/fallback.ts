import { html, nothing } from 'lit';
import { isObject } from '../../protocol/json.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderDetails, renderHeading } from './content-templates.ts';
import { contentStyles } from './content.styles.ts';
import { text, type Fields } from './read-item.ts';
import { renderText } from './render-item.ts';

/** Fields that usually contain text for people. */
const readable: readonly string[] = [
  'text',
  'message',
  'message_to_user',
  'body',
  'content',
  'value',
  'label',
  'name',
  'subtitle',
];
const plumbing: readonly string[] = ['id', 'response_type', 'sub_type', 'event_type', 'dps_payload_id'];

/**
 * Shows an item of an unknown type, or a `user_defined` one without a renderer of the page: its texts, and all other
 * data in a disclosure.
 *
 * @summary A readable fallback for unknown content.
 * @element agent-chat-fallback
 * @csspart item-details - The data that is not text.
 */
export class FallbackElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles];

  protected override renderContent(fields: Fields): unknown {
    const shown = withOwnFields(fields);
    const words = readable.flatMap((key) =>
      typeof shown[key] === 'string' ? [text(shown[key], 20_000)] : [],
    );
    const known = new Set([
      ...readable.filter((key) => typeof shown[key] === 'string'),
      ...plumbing,
      'title',
      'description',
    ]);
    const rest = Object.fromEntries(
      Object.entries(shown).filter(
        ([key, value]) => !known.has(key) && value !== null && value !== undefined,
      ),
    );
    const title = text(shown['title']);
    const description = text(shown['description'], 2000);
    const nothingToRead = !title && !description && words.length === 0;
    return html`
      ${nothingToRead ? renderHeading('', this.t('content.unknown')) : renderHeading(title, description)}
      ${words.length ? renderText(words.join('\n\n'), this.context) : nothing}
      ${renderDetails(this.context.words, rest)}
    `;
  }
}

/** The fields of the page's own type stand beside the others; a text of its own replaces theirs. */
function withOwnFields(fields: Fields): Fields {
  const { user_defined: own, ...others } = fields;
  if (typeof own === 'string') return { ...others, text: own };
  return isObject(own) ? { ...others, ...own } : fields;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-fallback': FallbackElement;
  }
}
