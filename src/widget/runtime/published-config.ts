import type { ReactiveController } from 'lit';
import type { AgentClient } from '../../client/agent-client.ts';
import { platformClock, type SessionClock } from '../../session/clock.ts';
import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Interval between two reads of the config while the page is visible, in ms. */
export const rereadAfter = 5 * 60_000;
/** How long a config counts as fresh, in ms; showing or focusing the page in that time does not read it again. */
export const freshFor = 10_000;

/**
 * Applies the agent's published config while `live-config` is on and removes it when it is turned off. The config
 * is read again when the page becomes visible or focused, and every five minutes while it is visible.
 */
export class PublishedConfig implements ReactiveController {
  readonly #host: ChatHost;
  readonly #client: () => AgentClient;
  readonly #clock: SessionClock;
  /** The agent whose config was requested; `''` means none. */
  #asked = '';
  /** State of the chat when the last read failed. The next opening or run tries again. */
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

  /** Called when the settings may have changed. If the config cannot be read, the current one stays. */
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
      this.#asked = this.#wanted; // the config may name another agent; that agent's own config is not requested
    } catch (cause) {
      this.#failedAt = this.#moment;
      const reason = cause instanceof Error ? cause.message : String(cause);
      diagnose(this.#host, 'live-config', `The published config could not be read: ${reason}`);
    }
  }

  /** Hidden pages read the config when they become visible. */
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
