import { isObject } from '../../protocol/json.ts';
import { FallbackElement } from './fallback.ts';
import type { Fields } from './read-item.ts';

/**
 * The host's own content where no renderer is registered for it (`registerRenderer('user_defined', …)`): its words
 * are shown, the rest is one click away.
 *
 * @summary A readable stand-in for a host's own content.
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
