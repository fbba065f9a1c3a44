import type { AgentClient } from '../../client/agent-client.ts';
import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Puts in force the config published for the agent, where that is wanted, and takes it back where it is no more. */
export class PublishedConfig {
  readonly #host: ChatHost;
  readonly #client: () => AgentClient;
  /** Whose config was asked for; `''`: none. */
  #asked = '';
  /** When it was asked for in vain: with the next opening or the next turn it is asked for again. */
  #failedAt = '';

  constructor(host: ChatHost, client: () => AgentClient) {
    this.#host = host;
    this.#client = client;
  }

  /** The settings may have changed. What stands is kept when the config cannot be had. */
  async update(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === this.#asked && (this.#failedAt === '' || this.#failedAt === this.#moment)) return;
    this.#asked = wanted;
    this.#failedAt = '';
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

  get #moment(): string {
    return `${this.#host.config.open} ${this.#host.conversation?.runs.length}`;
  }

  get #wanted(): string {
    const { agentId, liveConfig, baseUrl } = this.#host.config;
    return liveConfig && agentId ? `${agentId} ${baseUrl}` : '';
  }
}
