import type { ConversationMessage, ItemAnswer, RunStatus } from '../../conversation/conversation.ts';
import type { HostRenderer } from '../config/host-options.ts';
import type { UrlPolicy } from '../platform/url-policy.ts';
import type { Strings } from '../i18n/strings.ts';

/** Data to render a content item with: its message, the strings, the page's policy. */
export interface ItemContext {
  readonly words: Strings;
  readonly message: ConversationMessage;
  /** The visitor's answer to this item; it is read-only then. */
  readonly answer: ItemAnswer | undefined;
  /** True when the item can be answered: the visitor has not sent anything since, and no run blocks it. */
  readonly active: boolean;
  /** True when it cannot be answered any more, because the visitor went on with something else. Default false. */
  readonly closed?: boolean | undefined;
  /** The status of the message's run, if it has one. */
  readonly runStatus?: RunStatus | undefined;
  /** True while the message is still growing. */
  readonly streaming: boolean;
  readonly policy: UrlPolicy;
  /** The page's renderers, by response type; they take precedence. */
  readonly hostRenderers?: ReadonlyMap<string, HostRenderer> | undefined;
  /**
   * True when the page accepts files (`uploadDocument`). Default false: file uploads show that they are not
   * available.
   */
  readonly uploads?: boolean | undefined;
  /** Preview mode, which shows details of errors to developers. Default false. */
  readonly preview?: boolean | undefined;
  /** Nesting depth in cards and grids; set by the container items only. */
  readonly depth?: number | undefined;
  /** Number of items that may be rendered inside; set by the container items only. */
  readonly room?: number | undefined;
}
