/** A proxy for development: reloads pages after a build, and holds requests while the service restarts. */
export interface DevServer {
  readonly port: number;
  /** Reloads all open pages. */
  reload(): void;
  close(): void;
}
export declare function startDevServer(options: {
  readonly port: number;
  /** Port of the service. */
  readonly targetPort: number;
  /** How long a request waits for the service. Default 20,000. */
  readonly patienceMs?: number;
  /** How often a waiting request tries again. Default 100. */
  readonly retryMs?: number;
}): Promise<DevServer>;
