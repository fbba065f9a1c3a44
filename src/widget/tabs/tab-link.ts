import type { SessionState } from '../../session/index.ts';
import type { SessionCommand } from '../../session/session-command.ts';
import type { ConversationPatch } from './conversation-diff.ts';
import { TabLocks } from './tab-locks.ts';

/** The state that a tab shares besides the conversation. */
export interface SharedState {
  /** State of the tab's session. */
  readonly session: SessionState;
  /** Whether the conversation is visible in that tab. */
  readonly attended: boolean;
}

/** What one tab tells the others. */
export type TabMessage = { readonly from: string; readonly threadId: string | undefined } & (
  | { readonly kind: 'hello' | 'bye' }
  | {
      readonly kind: 'state';
      readonly generation: number;
      readonly patch: ConversationPatch | undefined;
      readonly state: SharedState;
    }
  | { readonly kind: 'unread'; readonly count: number }
  | {
      readonly kind: 'command';
      readonly to: string;
      readonly id: string;
      readonly until: number;
      readonly command: SessionCommand;
    }
  | { readonly kind: 'accepted'; readonly to: string; readonly id: string }
);

/** This tab's locks and channel. They show it to the tabs of the same conversation, and those to it. */
export class TabLink {
  readonly id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  readonly locks: TabLocks;
  /**
   * How often the tabs have changed the thread. What was sent before the last change is outdated, except by a leader.
   */
  generation = 0;
  /** Receives what other tabs send. */
  onMessage: (message: TabMessage) => void;
  readonly #channel: BroadcastChannel | undefined;

  /** @param name the same in all tabs that show this conversation; see `channelNameOf` */
  constructor(name: string, onMessage: (message: TabMessage) => void) {
    this.locks = new TabLocks(name, this.id);
    this.onMessage = onMessage;
    try {
      this.#channel = new BroadcastChannel(name);
      this.#channel.addEventListener('message', this.#receive);
    } catch {
      // without `BroadcastChannel`, work as if there were no other tabs
    }
  }

  /** Registers this tab. Resolves with whether there may be others that it can talk to. */
  async join(): Promise<boolean> {
    return this.#channel !== undefined && (await this.locks.join());
  }

  /** Sends a message to the other tabs. Returns whether that was possible. */
  post(message: TabMessage): boolean {
    try {
      this.#channel?.postMessage(message);
      return true;
    } catch {
      return false; // the message contains a value that cannot be cloned
    }
  }

  stop(): void {
    this.#channel?.removeEventListener('message', this.#receive);
    this.#channel?.close();
    this.locks.stop();
  }

  readonly #receive = ({ data }: MessageEvent<TabMessage>): void => this.onMessage(data);
}
