export interface DevServer {
  readonly port: number;
  reload(): void;
  close(): void;
}
export declare function startDevServer(options: {
  readonly port: number;
  readonly targetPort: number;
  readonly patienceMs?: number;
  readonly retryMs?: number;
}): Promise<DevServer>;
