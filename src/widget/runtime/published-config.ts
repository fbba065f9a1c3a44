import type { ReactiveController } from 'lit';
import type { AgentClient } from '../../client/agent-client.ts';
import { platformClock, type SessionClock } from '../../session/clock.ts';
import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Interval between two reads of the config while the page is visible, in ms. */
export const rereadIntervalMs = 5 * 60_000;
/** How long a config counts as fresh, in ms; showing or focusing the page in that time does not read it again. */
export const freshForMs = 10_000;

/**
 * Applies the agent's published config while `live-config` is on and removes it when it is turned off. The config
 * is read again when the page becomes visible or focused, and every five minutes while it is visible.
 */
export class PublishedConfig implements ReactiveController {
  readonly #host: ChatHost;
  readonly #client: () => AgentClient;
  readonly #clock: SessionClock;
  /** The agent whose config was requested; `''` means none. */
  #requestedAgent = '';
  /** State of the chat when the last read failed; reading is tried again once the chat is opened or runs an agent. */
  #failedState = '';
  #readAt = 0;
  /** Number of reads that were begun, and which of them was applied last: answers may come in another order. */
  #reads = 0;
  #appliedRead = 0;
  #removeConfig: () => void = () => undefined;

  constructor(host: ChatHost, client: () => AgentClient, clock: SessionClock = platformClock) {
    this.#host = host;
    this.#client = client;
    this.#clock = clock;
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#onVisible);
    addEventListener('focus', this.#onVisible);
    if (this.#requestedAgent) this.#rereadLater(); // after a move
    this.#onVisible();
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onVisible);
    removeEventListener('focus', this.#onVisible);
    this.#removeConfig();
  }

  /** Called when the settings may have changed. If the config cannot be read, the current one stays. */
  async update(): Promise<void> {
    const agent = this.#agent;
    if (agent === this.#requestedAgent && (this.#failedState === '' || this.#failedState === this.#state))
      return;
    await this.#read();
  }

  async #read(): Promise<void> {
    const agent = this.#agent;
    this.#requestedAgent = agent;
    this.#failedState = '';
    this.#readAt = this.#clock.now();
    const read = (this.#reads += 1);
    this.#removeConfig();
    if (agent) this.#rereadLater();
    const { agentId } = this.#host.config;
    try {
      const config = agent ? await this.#client().extensions.getEmbeddedChatConfig(agentId) : {};
      if (agent !== this.#requestedAgent || read < this.#appliedRead) return;
      this.#appliedRead = read;
      this.#host.applyPublishedConfig(config);
      this.#requestedAgent = this.#agent; // the config may name another agent; that agent's own config is not requested
    } catch (cause) {
      if (read < this.#appliedRead) return;
      this.#failedState = this.#state;
      const reason = cause instanceof Error ? cause.message : String(cause);
      diagnose(this.#host, 'live-config', `The published config could not be read: ${reason}`);
    }
  }

  #rereadLater(): void {
    this.#removeConfig = this.#clock.after(rereadIntervalMs, this.#onVisible);
  }

  /** Hidden pages read the config when they become visible. */
  readonly #onVisible = (): void => {
    if (document.hidden || this.#requestedAgent === '' || this.#requestedAgent !== this.#agent) return;
    if (this.#clock.now() - this.#readAt >= freshForMs) void this.#read();
  };

  get #state(): string {
    return `${this.#host.config.open} ${this.#host.conversation?.runs.length}`;
  }

  get #agent(): string {
    const { agentId, liveConfig, baseUrl } = this.#host.config;
    return liveConfig && agentId ? `${agentId} ${baseUrl}` : '';
  }
}
