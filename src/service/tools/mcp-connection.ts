import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/client';
import { version } from '../version.ts';
import { createTransport } from './mcp-transport.ts';
import type { ServerSettings } from './tool-settings.ts';
import type { JsonObject } from './tool-call.ts';

/** Limit for opening a connection and listing tools. */
const openTimeoutMs = 10_000;
/** After a failure to connect, runs use the known tools for this long before another attempt. */
const retryDelayMs = 5_000;
/** Node's longest timer: the limits of calls are our own. */
const noTimeoutMs = 2_147_483_647;

/** Why a call has no result. `message` is for the model, without addresses or secrets. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  /** Whether the server may have executed the call. */
  readonly mayHaveRun: boolean;

  constructor(message: string, options: { readonly mayHaveRun: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.mayHaveRun = options.mayHaveRun;
  }
}

/** What a call reports while it runs. */
export interface CallProgress {
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/** The connection to one MCP server. Opens on first use, and again after it was lost. */
export class McpConnection {
  readonly settings: ServerSettings;
  readonly #report: (text: string) => void;
  #opening: Promise<Client> | undefined;
  #tools: Promise<readonly Tool[]> | undefined;
  /** The last tools that could be listed. */
  #lastTools: readonly Tool[] = [];
  #retryAt = 0;
  #closed = false;

  /** @param report receives notes for the operator */
  constructor(settings: ServerSettings, report: (text: string) => void) {
    this.settings = settings;
    this.#report = report;
  }

  /** Returns the tools of the server; while it cannot be reached, those it had before. Never rejects. */
  async tools(): Promise<readonly Tool[]> {
    if (!this.#tools && Date.now() < this.#retryAt) return this.#lastTools;
    this.#tools ??= this.#list();
    const listing = this.#tools;
    try {
      return (this.#lastTools = await listing);
    } catch (error) {
      if (this.#tools === listing) this.#tools = undefined;
      this.#retryAt = Date.now() + retryDelayMs;
      this.#report(
        `the tools of the MCP server "${this.settings.name}" cannot be listed: ${reasonOf(error)}`,
      );
      return this.#lastTools;
    }
  }

  /**
   * Calls a tool.
   * @param options.timeoutMs limit without an answer or progress
   * @throws ToolCallError, or the signal's reason when it aborts
   */
  async call(
    name: string,
    args: JsonObject,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onProgress: (progress: CallProgress) => void;
    },
  ): Promise<CallToolResult> {
    const client = await this.#open().catch((cause: unknown) => {
      throw new ToolCallError(`the server "${this.settings.name}" cannot be reached`, {
        mayHaveRun: false,
        cause,
      });
    });
    options.signal.throwIfAborted();
    try {
      return await this.#request(client, name, args, options);
    } catch (error) {
      options.signal.throwIfAborted();
      // The server restarted and has forgotten the session, so it did not take the call.
      if (SdkHttpError.isInstance(error) && error.status === 404) {
        this.#lose(client);
        return await this.#request(await this.#open(), name, args, options).catch((again: unknown) => {
          throw this.#errorOf(again);
        });
      }
      if (SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed) this.#lose(client);
      throw this.#errorOf(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#opening?.catch(() => undefined);
    await client?.close().catch(() => undefined);
  }

  async #request(
    client: Client,
    name: string,
    args: JsonObject,
    options: Parameters<McpConnection['call']>[2],
  ): Promise<CallToolResult> {
    const { timeoutMs, signal, onProgress } = options;
    const limit = new AbortController();
    const expire = (): void => limit.abort(new CallTimeoutError());
    let timer = setTimeout(expire, timeoutMs);
    try {
      // Not `callTool`, which rejects a result that does not fit the tool's `outputSchema` although the call happened.
      return await client.request(
        { method: 'tools/call', params: { name, arguments: args } },
        {
          timeout: noTimeoutMs,
          signal: AbortSignal.any([signal, limit.signal]),
          onprogress: ({ progress, total, message }) => {
            clearTimeout(timer);
            timer = setTimeout(expire, timeoutMs);
            onProgress({ progress, total, message });
          },
        },
      );
    } catch (error) {
      if (!limit.signal.aborted) throw error;
      const seconds = Math.round(timeoutMs / 100) / 10;
      throw new ToolCallError(
        `the call took longer than ${seconds} seconds and was cancelled; it may have happened`,
        { mayHaveRun: true, cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #errorOf(error: unknown): ToolCallError {
    if (error instanceof ToolCallError) return error;
    const { name } = this.settings;
    if (ProtocolError.isInstance(error))
      return new ToolCallError(error.message, { mayHaveRun: false, cause: error });
    if (SdkHttpError.isInstance(error) && error.status >= 400 && error.status < 500)
      return new ToolCallError(`the server "${name}" refused the call (${error.status})`, {
        mayHaveRun: false,
        cause: error,
      });
    if (wasNotSent(error))
      return new ToolCallError(`the server "${name}" cannot be reached`, { mayHaveRun: false, cause: error });
    return new ToolCallError(`the connection to the server "${name}" broke; the call may have happened`, {
      mayHaveRun: true,
      cause: error,
    });
  }

  #open(): Promise<Client> {
    if (this.#closed) return Promise.reject(new Error('the service is stopping'));
    if (this.#opening) return this.#opening;
    const opening = this.#connect();
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  async #connect(): Promise<Client> {
    const client = new Client(
      { name: 'agent-chat', version },
      {
        capabilities: {},
        listChanged: {
          tools: {
            autoRefresh: false,
            debounceMs: 50,
            onChanged: () => {
              this.#tools = undefined;
            },
          },
        },
      },
    );
    client.onclose = () => this.#lose(client);
    client.onerror = () => undefined; // each failed request rejects
    this.#current = client;
    await client.connect(createTransport(this.settings), { timeout: openTimeoutMs });
    return client;
  }

  /** The client of the open connection, or of the one being opened. */
  #current: Client | undefined;

  /** Forgets a connection, so the next use opens another. */
  #lose(client: Client): void {
    if (this.#current !== client) return;
    this.#current = undefined;
    this.#opening = undefined;
    this.#tools = undefined;
    void client.close().catch(() => undefined);
  }

  async #list(): Promise<readonly Tool[]> {
    const client = await this.#open();
    if (!client.getServerCapabilities()?.tools) return [];
    const { tools } = await client.listTools(undefined, { timeout: openTimeoutMs });
    return tools;
  }
}

class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';
}

/** Whether a request failed before any of it reached the server. */
function wasNotSent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, 'code');
    if (code === SdkErrorCode.NotConnected) return true;
    if (typeof code === 'string' && /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code))
      return true;
  }
  return false;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return (error instanceof Error ? error.message : String(error)).slice(0, 300) + cause;
}
