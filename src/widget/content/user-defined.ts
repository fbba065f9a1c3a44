import { isObject } from '../../protocol/json.ts';
import { FallbackElement } from './fallback.ts';
import type { Fields } from './read-item.ts';

/**
 * The page's own content type if no renderer is registered for it (`registerRenderer('user_defined', …)`): its
 * texts are visible, all other data is in a disclosure.
 *
 * @summary A readable fallback for the page's own content.
 * @element agent-chat-user-defined
 */
export class UserDefinedElement extends FallbackElement {
  protected override shownFields(fields: Fields): Fields {
    const inner = fields['user_defined'];
    if (typeof inner === 'string') return { ...fields, user_defined: undefined, text: inner };
    return isObject(inner) ? { ...fields, user_defined: undefined, ...inner } : fields;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-user-defined': UserDefinedElement;
  }
}
