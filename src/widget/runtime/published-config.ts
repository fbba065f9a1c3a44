import type { ReactiveController } from 'lit';
import type { AgentClient } from '../../client/agent-client.ts';
import { platformClock, type SessionClock } from '../../session/clock.ts';
import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Milliseconds from one reading of the config to the next, while the page is seen. */
export const rereadAfter = 5 * 60_000;
/** Milliseconds for which a reading is fresh: a page that is seen or focused again within them does not ask. */
export const freshFor = 10_000;

/**
 * Applies the config published for the agent while `live-config` is on, and takes it back when it is switched off. Open
 * pages follow later changes: the config is read again when the page is seen or focused again, and every five minutes
 * while it is seen.
 */
export class PublishedConfig implements ReactiveController {
  readonly #host: ChatHost;
  readonly #client: () => AgentClient;
  readonly #clock: SessionClock;
  /** Whose config was asked for; `''`: none. */
  #asked = '';
  /** When it was asked for in vain: with the next opening or the next turn it is asked for again. */
  #failedAt = '';
  #readAt = 0;
  #takeBack: () => void = () => undefined;

  constructor(host: ChatHost, client: () => AgentClient, clock: SessionClock = platformClock) {
    this.#host = host;
    this.#client = client;
    this.#clock = clock;
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#seen);
    addEventListener('focus', this.#seen);
    this.#seen();
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#seen);
    removeEventListener('focus', this.#seen);
    this.#takeBack();
  }

  /** The settings may have changed. What stands is kept when the config cannot be had. */
  async update(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === this.#asked && (this.#failedAt === '' || this.#failedAt === this.#moment)) return;
    await this.#read();
  }

  async #read(): Promise<void> {
    const wanted = this.#wanted;
    this.#asked = wanted;
    this.#failedAt = '';
    this.#readAt = this.#clock.now();
    this.#takeBack();
    if (wanted) this.#takeBack = this.#clock.after(rereadAfter, this.#seen);
    const { agentId } = this.#host.config;
    try {
      const config = wanted ? await this.#client().extensions.getEmbeddedChatConfig(agentId) : {};
      if (wanted !== this.#asked) return;
      this.#host.applyPublishedConfig(config);
      this.#asked = this.#wanted; // it may name another agent, whose config is not asked for in turn
    } catch (cause) {
      this.#failedAt = this.#moment;
      const reason = cause instanceof Error ? cause.message : String(cause);
      diagnose(this.#host, 'live-config', `The published config could not be read: ${reason}`);
    }
  }

  /** A hidden page waits until it is seen. */
  readonly #seen = (): void => {
    if (document.hidden || this.#asked === '' || this.#asked !== this.#wanted) return;
    if (this.#clock.now() - this.#readAt >= freshFor) void this.#read();
  };

  get #moment(): string {
    return `${this.#host.config.open} ${this.#host.conversation?.runs.length}`;
  }

  get #wanted(): string {
    const { agentId, liveConfig, baseUrl } = this.#host.config;
    return liveConfig && agentId ? `${agentId} ${baseUrl}` : '';
  }
}
