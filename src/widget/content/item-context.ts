import type { ConversationMessage, ItemAnswer } from '../../conversation/conversation.ts';
import type { HostRenderer } from '../config/host-renderer.ts';
import type { UrlPolicy } from '../platform/url-policy.ts';
import type { Strings } from '../i18n/strings.ts';

/** What a content item is shown with: its message, the language, the host's rules. */
export interface ItemContext {
  readonly words: Strings;
  readonly message: ConversationMessage;
  /** What the visitor answered to this item; then it is read-only. */
  readonly answer: ItemAnswer | undefined;
  /** It may be answered now: the visitor has said nothing since, and no run is in the way. */
  readonly active: boolean;
  /** It will not be answered any more: the visitor went on with something else. Default false. */
  readonly closed?: boolean | undefined;
  /** Its message is still growing. */
  readonly streaming: boolean;
  readonly policy: UrlPolicy;
  /** Renderers the host registered, by response type; they win over ours. */
  readonly hostRenderers?: ReadonlyMap<string, HostRenderer> | undefined;
  /** Whether the host takes files (`uploadDocument`). Default false: file uploads say that they cannot be done. */
  readonly uploads?: boolean | undefined;
  /** Whether a developer looks at it (`preview`): then what went wrong is shown with its details. Default false. */
  readonly preview?: boolean | undefined;
  /** How deep in cards and grids it lies. Ours alone; hosts of items leave it out. */
  readonly depth?: number | undefined;
  /** How many items may be shown within it. Ours alone, as `depth`. */
  readonly room?: number | undefined;
}
